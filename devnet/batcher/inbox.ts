import { bytesToHex } from '@ethereumjs/util'
import { privateKeyToAddress } from 'viem/accounts'
import type { Address, Hash, Hex } from '../../enclave-sim/execution/types.ts'
import { httpRpcClient, RpcRefused } from '../json-rpc/http-rpc-client.ts'
import { signL1Transaction } from '../l1/sign-l1-transaction.ts'

/** EIP-7623: what a transaction costs at least, and each of its data bytes at most. */
const BASE_GAS = 21_000n
const GAS_PER_BYTE = 40n
const PRIORITY_FEE = 1_000_000_000n

export interface SentTransaction {
  hash: Hash
  raw: Hex
  nonce: number
}

/** Whether a transaction stands on L1: in which block, still to come, or never to come any more. */
export type Landing = { l1Block: Hash } | 'pending' | 'lost'

/** The batch inbox on L1, as its one writer sees it. */
export interface Inbox {
  /** Signs and sends one transaction for each piece of data, in order. */
  send(data: readonly Uint8Array[]): Promise<SentTransaction[]>
  landing(transaction: SentTransaction): Promise<Landing>
  /** Offers it to L1 again; nothing happens where it is known. */
  sendAgain(transaction: SentTransaction): Promise<void>
}

export interface InboxParameters {
  l1RpcUrl: string
  l1ChainId: number
  address: Address
  privateKey: Hex
  signal: AbortSignal
}

export function openInbox(parameters: InboxParameters): Inbox {
  const { l1RpcUrl, l1ChainId, address, privateKey, signal } = parameters
  const rpc = httpRpcClient(l1RpcUrl)
  const call = (method: string, ...params: unknown[]) => rpc.request(method, params, signal)
  const sender = privateKeyToAddress(privateKey)
  const nonce = async (tag: 'latest' | 'pending') =>
    Number(await call('eth_getTransactionCount', sender, tag))

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
      const first = await nonce('pending')
      const block = Object((await call('eth_getBlockByNumber', 'latest', false)) ?? {})
      const baseFee = BigInt(String(block.baseFeePerGas ?? '0x0'))
      const sent = data.map((bytes, i) => ({
        nonce: first + i,
        ...signL1Transaction(
          {
            chainId: l1ChainId,
            nonce: first + i,
            to: address,
            data: bytesToHex(bytes),
            value: 0n,
            gas: BASE_GAS + GAS_PER_BYTE * BigInt(bytes.length),
            // The base fee doubles at most every six blocks: room for a dozen.
            maxFeePerGas: 4n * baseFee + PRIORITY_FEE,
            maxPriorityFeePerGas: PRIORITY_FEE,
          },
          privateKey,
        ),
      }))
      for (const { raw } of sent) await sendRaw(raw)
      return sent
    },
    async landing(transaction) {
      // The nonce first: a block between the two reads must not make a landed transaction look lost.
      const next = await nonce('latest')
      const receipt = await call('eth_getTransactionReceipt', transaction.hash)
      if (receipt) return { l1Block: (receipt as { blockHash: Hash }).blockHash }
      return next > transaction.nonce ? 'lost' : 'pending'
    },
    sendAgain: ({ raw }) => sendRaw(raw),
  }
}
