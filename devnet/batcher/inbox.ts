import { privateKeyToAddress } from 'viem/accounts'
import type { Address, Hash, Hex } from '../../enclave-sim/execution/types.ts'
import { httpRpcClient, RpcRefused } from '../json-rpc/http-rpc-client.ts'
import type { Kzg } from '../l1/blobs/kzg.ts'
import {
  blobTransactions,
  calldataTransactions,
  type L1Fees,
  type SentTransaction,
} from './inbox-transactions.ts'

const PRIORITY_FEE = 1_000_000_000n

/** Whether a transaction stands on L1: in which block, still to come, or never to come any more. */
export type Landing = { l1Block: Hash; l1Number: bigint } | 'pending' | 'lost'

/** The batch inbox on L1, as its one writer sees it. */
export interface Inbox {
  /** Signs and sends what carries these pieces of data, in order. */
  send(data: readonly Uint8Array[]): Promise<SentTransaction[]>
  landing(transaction: SentTransaction): Promise<Landing>
  /** Offers it to L1 again; nothing happens where it is known. */
  sendAgain(transaction: SentTransaction): Promise<void>
  /** Number of the newest L1 block. */
  l1Head(): Promise<bigint>
}

export interface InboxParameters {
  l1RpcUrl: string
  l1ChainId: number
  address: Address
  privateKey: Hex
  /** Data goes into blobs then; into call data without. */
  kzg?: Kzg | undefined
  signal: AbortSignal
}

export function openInbox(parameters: InboxParameters): Inbox {
  const { l1RpcUrl, privateKey, kzg, signal } = parameters
  const rpc = httpRpcClient(l1RpcUrl)
  const call = (method: string, ...params: unknown[]) => rpc.request(method, params, signal)
  const sender = privateKeyToAddress(privateKey)
  const account = { chainId: parameters.l1ChainId, to: parameters.address, privateKey }
  const prepare = kzg ? blobTransactions(account, kzg) : calldataTransactions(account)
  const nonce = async (tag: 'latest' | 'pending') =>
    Number(await call('eth_getTransactionCount', sender, tag))

  /** Both base fees grow by an eighth per block at most: room for a dozen blocks. */
  async function fees(): Promise<L1Fees> {
    const block = Object((await call('eth_getBlockByNumber', 'latest', false)) ?? {})
    const baseFee = BigInt(String(block.baseFeePerGas ?? '0x0'))
    const blobBaseFee = kzg ? BigInt(String(await call('eth_blobBaseFee'))) : 0n
    return {
      maxFeePerGas: 4n * baseFee + PRIORITY_FEE,
      maxPriorityFeePerGas: PRIORITY_FEE,
      maxFeePerBlobGas: 4n * blobBaseFee,
    }
  }

  async function sendRaw(raw: Hex): Promise<void> {
    try {
      await call('eth_sendRawTransaction', raw)
    } catch (error) {
      if (!(error instanceof RpcRefused && /already (known|imported)/i.test(error.message))) {
        throw error
      }
    }
  }

  return {
    async send(data) {
      const sign = await prepare(data)
      const sent = sign(await nonce('pending'), await fees())
      for (const { raw } of sent) await sendRaw(raw)
      return sent
    },
    async landing(transaction) {
      // The nonce first: a block between the two reads must not make a landed transaction look lost.
      const next = await nonce('latest')
      const receipt = await call('eth_getTransactionReceipt', transaction.hash)
      if (!receipt) return next > transaction.nonce ? 'lost' : 'pending'
      const { blockHash, blockNumber } = receipt as { blockHash: Hash; blockNumber: Hex }
      return { l1Block: blockHash, l1Number: BigInt(blockNumber) }
    },
    sendAgain: ({ raw }) => sendRaw(raw),
    l1Head: async () => BigInt(String(await call('eth_blockNumber'))),
  }
}
