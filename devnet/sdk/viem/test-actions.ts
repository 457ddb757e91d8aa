import {
  type Account,
  type TestActions as AnvilActions,
  testActions as anvilActions,
  type Chain,
  type Client,
  type Hash,
  type Hex,
  hexToBigInt,
  type Transport,
} from 'viem'
import type { FaultName } from '#devnet/faults/fault-catalogue'
import type { FaultTarget } from '#devnet/faults/fault-targets'
import {
  type BranchBlock,
  type BranchOptions,
  type DevnetBranch,
  openBranch,
} from '#devnet/rollup/start/open-branch'

/** viem's own test actions, and what a rollbed devnet has beside them. */
export type TestActions = AnvilActions & {
  /**
   * Lets time pass at once: seals a block that is so many seconds later, with what the pool holds.
   * @returns the block's timestamp, seconds
   */
  advanceTime(parameters: { seconds: number }): Promise<bigint>
  /**
   * Lets time pass for the whole devnet: L1, L2, prover host, actors and certificates, with all that falls
   * due meanwhile. Not at a branch. For many blocks give the client's transport a long `timeout`: one
   * that gives up ends the journey where it is.
   * @param parameters.seconds may have a fraction: 0.2 is one flashblock
   * @returns Unix time, seconds
   */
  passTime(parameters: { seconds: number }): Promise<bigint>
  /**
   * Pre-confirms what the pool holds now, without waiting for the next 200 ms.
   * @returns the hashes of all that is pre-confirmed
   */
  flashblock(): Promise<readonly Hash[]>
  /** Seals what is pre-confirmed. Returns the block's number and hash. */
  seal(): Promise<{ number: bigint; hash: Hash }>
  /** No block is sealed by time any more; pre-confirmations go on. `resumeBlocks` ends it. */
  pauseBlocks(): Promise<void>
  /** @param parameters.seconds between blocks; default as before this client's `pauseBlocks`, else 2 */
  resumeBlocks(parameters?: { seconds?: number }): Promise<void>
  /**
   * A second chain upon a block of this one, which nothing else sees.
   * @param block default `pending`: all that is pre-confirmed is in the branch
   * @param options when its flashblocks come
   */
  branch(block?: BranchBlock, options?: BranchOptions): Promise<DevnetBranch>
  /** Replaces the newest blocks by as many others: what stood in them is gone. */
  reorganize(parameters: { depth: number }): Promise<void>
  /**
   * Takes the newest blocks out of the chain, and all pre-confirmations: with depth 0 these alone.
   * @param parameters.repool whether their transactions wait in the pool again; default false
   */
  rollback(parameters: { depth: number; repool?: boolean }): Promise<void>
  /**
   * Brings a fault about until it is cleared, in a devnet that was started with `faults`. Of a client at
   * `faultsUrl`, which no fault cuts off.
   * @param parameters.target what it happens to, as `link:client-l2`; `parameters.fault` as `latency`, and
   * `parameters.with` what it is told, as `{ latency: 500 }` (devnet/docs/faults.md)
   * @returns by which it is cleared
   */
  injectFault(parameters: {
    target: FaultTarget
    fault: FaultName
    with?: Readonly<Record<string, unknown>>
  }): Promise<{ id: number }>
  /**
   * Ends a fault; without an id all of them.
   * @returns how many
   */
  clearFault(parameters?: { id?: number }): Promise<number>
}

/**
 * The controls of a devnet for a viem client: viem's test actions (in anvil's mode) and those of
 * rollbed. Every one of them concerns the chain of the client's URL, a branch too.
 *
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { rollbedChain, testActions } from 'rollbed/viem'
 *
 * const client = createPublicClient({ chain: rollbedChain(devnet.description), transport: http() })
 *   .extend(testActions())
 * const before = await client.snapshot()
 * await client.advanceTime({ seconds: 86_400 })
 * await client.revert({ id: before })
 */
export function testActions(): <
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
>(
  client: Client<Transport, chain, account>,
) => TestActions {
  return (client) => {
    const request = (method: string, params: unknown[] = []) =>
      client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
        method,
        params,
      })
    /** Seconds between blocks before they were paused. */
    let pace = 2
    return {
      ...anvilActions({ mode: 'anvil' })(client),
      async advanceTime({ seconds }) {
        await request('evm_increaseTime', [seconds])
        await request('anvil_mine')
        const block = await request('eth_getBlockByNumber', ['latest', false])
        return hexToBigInt((block as { timestamp: Hex }).timestamp)
      },
      passTime: async ({ seconds }) =>
        BigInt(
          // Asked again, it would pass twice.
          await client.request<{
            Method: 'rollbed_increaseTime'
            Parameters: [number]
            ReturnType: number
          }>({ method: 'rollbed_increaseTime', params: [seconds] }, { retryCount: 0 }),
        ),
      async flashblock() {
        const block = await request('rollbed_flashblock')
        return (block as { transactions: Hash[] }).transactions
      },
      async seal() {
        const { number, hash } = (await request('rollbed_seal')) as { number: Hex; hash: Hash }
        return { number: hexToBigInt(number), hash }
      },
      async pauseBlocks() {
        // Null where no time seals, as in a chain that is paused already.
        pace = ((await request('anvil_getIntervalMining')) as number | null) ?? pace
        await request('evm_setIntervalMining', [0])
      },
      async resumeBlocks({ seconds = pace } = {}) {
        await request('evm_setIntervalMining', [seconds])
      },
      branch: (block, options) => openBranch(request, block, options),
      async reorganize({ depth }) {
        await request('anvil_reorg', [depth, []])
      },
      async rollback({ depth, repool = false }) {
        await request('anvil_rollback', [depth, repool])
      },
      injectFault: async ({ target, fault, with: parameters = {} }) =>
        (await request('rollbed_faultInject', [target, fault, parameters])) as { id: number },
      clearFault: async ({ id } = {}) =>
        (await request('rollbed_faultClear', id === undefined ? [] : [id])) as number,
    }
  }
}
