import {
  createPublicClient,
  InvalidParamsRpcError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  type PublicClient,
  stringToHex,
} from 'viem'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { notApplicable } from '../case-failure.ts'
import { poll } from '../poll.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import type { Driver, DriverOptions, DriverTransaction } from './driver.ts'
import { driverTransport } from './driver-transport.ts'
import { findProvableRange } from './provable-range.ts'

const LOOK_EVERY = 20
const ZERO_SLOT: Hex = `0x${'00'.repeat(32)}`
const FIRST_SLOT: Hex = `0x${'00'.repeat(31)}01`
/** Delegates, and does nothing else; it has no ether. From its second time on its nonce is another (EIP-7702). */
const AUTHORITY = privateKeyToAccount(
  keccak256(stringToHex('rollbed: an authority that nobody uses')),
)
/** Bounds what a wait may take when the chain stands still. */
const PATIENCE = 30_000

/** The driver could not do what a case needs. */
export class DriverError extends RollbedError {
  constructor(message: string, hint?: string, cause?: unknown) {
    super('DRIVER_FAILED', message, { ...(hint ? { hint } : {}), cause })
  }
}

/** How an accounts driver differs from another. */
export interface AccountsDriverOptions extends DriverOptions {
  /** As repro commands quote it. */
  name: string
  accounts: readonly LocalAccount[]
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  /** Gas of a transaction that asks for none. */
  gas: bigint
}

/** Drives a chain by accounts whose keys are at hand, through its public RPC and nothing else. */
export async function createAccountsDriver(options: AccountsDriverOptions): Promise<Driver> {
  const { targets, clock, signal, name, accounts, fees, gas } = options
  if (!targets.rpc) throw new DriverError('A driver needs an L2 RPC URL.', 'Give --rpc.')
  const client = createPublicClient({
    transport: driverTransport(targets.rpc, options.headers),
  })
  const chainId = await client.getChainId()
  const senders = accounts.map((account) => createSender(account))
  const waiting = {
    clock,
    signal,
    every: options.rps ? Math.max(LOOK_EVERY, 4_000 / options.rps) : LOOK_EVERY,
    within: PATIENCE,
  }

  function createSender(account: (typeof accounts)[number]) {
    let queue: Promise<unknown> = Promise.resolve()
    let nonce: number | undefined
    return (transaction: Parameters<Driver['send']>[0]): Promise<Hex> => {
      const sent = queue.then(async () => {
        nonce ??= await client.getTransactionCount({
          address: account.address,
          blockTag: 'pending',
        })
        const gap = transaction.nonceGap ?? 0
        const raw = await account.signTransaction({
          ...(await formOf(transaction)),
          chainId,
          nonce: nonce + gap,
          to: transaction.to ?? null,
          data: transaction.data ?? '0x',
          value: transaction.value ?? 0n,
          gas: transaction.gas ?? gas,
        })
        const hash = await client.request({ method: 'eth_sendRawTransaction', params: [raw] })
        // It took the transaction, whatever it calls it.
        if (gap === 0) nonce += 1
        if (hash !== keccak256(raw))
          throw new DriverError(`The node answered ${hash} for a sent transaction.`)
        return hash
      })
      queue = sent.catch(() => undefined)
      return sent
    }
  }

  async function formOf({ form, to }: DriverTransaction) {
    const gasPrice = fees.maxFeePerGas
    if (form === 'legacy') return { type: 'legacy', gasPrice } as const
    if (form === undefined || !to) return { type: 'eip1559', ...fees } as const
    if (form === 'set-code') {
      const authorization = await AUTHORITY.signAuthorization({ address: to, chainId, nonce: 0 })
      // Twice, as lists have more than one; the second one comes to nothing.
      const authorizationList = [authorization, authorization]
      return { type: 'eip7702', ...fees, authorizationList } as const
    }
    const accessList = [
      { address: to, storageKeys: [ZERO_SLOT, FIRST_SLOT] },
      { address: AUTHORITY.address, storageKeys: [] },
    ]
    return { type: 'eip2930', gasPrice, accessList } as const
  }

  return {
    name,
    accounts: accounts.map((account) => account.address.toLowerCase() as Hex),
    async send(transaction) {
      const sender = senders[transaction.account]
      if (!sender) throw new DriverError(`There is no account ${transaction.account}.`)
      return await sender(transaction)
    },
    async sealed(hash) {
      const found = await poll(waiting, async () => {
        const receipt = await client.request({
          method: 'eth_getTransactionReceipt',
          params: [hash],
        })
        if (!receipt?.blockNumber || !receipt.blockHash || /^0x0*$/.test(receipt.blockHash)) return
        return receipt
      })
      if (!found) throw new DriverError(`Transaction ${hash} was not sealed in time.`)
      return {
        hash,
        blockNumber: BigInt(found.blockNumber),
        blockHash: found.blockHash,
        index: Number(found.transactionIndex),
        gasUsed: BigInt(found.gasUsed),
        succeeded: found.status === '0x1',
        contract: (found.contractAddress?.toLowerCase() as Hex | undefined) ?? null,
      }
    },
    async blockStart() {
      const before = await client.getBlockNumber({ cacheTime: 0 })
      const begun = await poll(waiting, async () => {
        const now = await client.getBlockNumber({ cacheTime: 0 })
        return now > before ? now : undefined
      })
      if (begun === undefined) throw new DriverError('No new block was sealed in time.')
    },
    reorg: () => replaceNewestBlock(client),
    damage: () => divergenceOf(client),
    ...(targets.l1 ? { provableRange: rangeFinder(options, targets.rpc, targets.l1) } : {}),
  }
}

function rangeFinder(options: DriverOptions, rpc: string, l1: string) {
  return (blocks: number) => findProvableRange({ ...options, rpc, l1, blocks })
}

/** Our nodes know since which block L1 no longer gives their chain. Others say nothing of the kind. */
async function divergenceOf(client: PublicClient): Promise<string | undefined> {
  // viem has no types for this method.
  const metadata = await client.request({ method: 'anvil_metadata' } as never).catch(() => null)
  const { divergence } = Object(metadata) as { divergence?: { since?: string; cause?: string } }
  if (!divergence) return undefined
  const block = Number(divergence.since)
  return (
    `The chain does not follow from L1 since block ${block} (${divergence.cause}): its batch may be on L1 ` +
    'already, so no later block becomes safe or can be proven. Start the devnet anew for that.'
  )
}

/** By `anvil_rollback` where it can put transactions back into the pool, as ours; else as anvil. */
async function replaceNewestBlock(client: PublicClient): Promise<void> {
  // viem has no types for these methods.
  const request = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>
  try {
    await request('anvil_rollback', [1, true])
  } catch (error) {
    const isMissing =
      error instanceof MethodNotFoundRpcError ||
      error instanceof MethodNotSupportedRpcError ||
      /method \S+ (does not exist|is not available)/i.test(String(error))
    if (isMissing) notApplicable('The node has no anvil_rollback.')
    if (!(error instanceof InvalidParamsRpcError)) throw error
    const { transactions } = await client.getBlock({ blockTag: 'latest' })
    const raw = await Promise.all(
      transactions.map((hash) => request('eth_getRawTransactionByHash', [hash])),
    )
    await request('anvil_reorg', [1, raw.map((each) => [each, 0])])
  }
}
