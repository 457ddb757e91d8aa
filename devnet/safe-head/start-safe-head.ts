import type { Logger } from 'pino'
import { type Clock, sleep } from '../../enclave-sim/clock/clock.ts'
import type { RollupConfig } from '../../enclave-sim/derivation/rollup-config.ts'
import type { Block, Hash } from '../../enclave-sim/execution/types.ts'
import { httpRpcClient } from '../json-rpc/http-rpc-client.ts'
import type { BlobSource } from '../l1/blobs/blob-source.ts'
import type { ChainView } from '../node/chain-view.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { Follower } from './follower.ts'
import { rpcL1Source } from './rpc-l1-source.ts'

export interface StartSafeHeadParameters {
  chain: ChainView
  l1RpcUrl: string
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
  config: RollupConfig
  clock: Clock
  /** Milliseconds between two looks at L1, 200 by default. */
  interval?: number
  /** A block is what L1 says it must be. Called for each, in order; after an L1 reorg again. */
  onSafe(block: Block): void
  /** L1 can no longer change this block nor those before it. */
  onFinalized(block: Block): void
  logger?: Logger
}

export interface SafeHead extends OwnedResource {
  /** Looks at L1 now. Rejects when L1 cannot be read. */
  sync(): Promise<void>
}

/**
 * Starts to follow L1: derives the L2 chain from it, marks the sequencer's blocks safe that equal
 * what is derived, and finalized once their L1 blocks are. A block that does not is logged as error.
 */
export async function startSafeHead(parameters: StartSafeHeadParameters): Promise<SafeHead> {
  const { chain, config, clock, logger, interval = 200, onSafe, onFinalized } = parameters
  const abort = new AbortController()
  const rpc = httpRpcClient(parameters.l1RpcUrl)
  const l1 = rpcL1Source(rpc, { signal: abort.signal, blobs: parameters.blobs })
  const follower = new Follower({ chain, l1, config, onSafe, onFinalized, logger })
  const restartOnReorg = chain.on('reorg', () => follower.restart())

  async function l1Block(tag: string): Promise<{ number: bigint; hash: Hash } | undefined> {
    const block = await rpc.request('eth_getBlockByNumber', [tag, false], abort.signal)
    if (!block) return undefined
    const { number, hash } = block as { number: string; hash: Hash }
    return { number: BigInt(number), hash }
  }

  async function look(): Promise<void> {
    const [head, finalized] = await Promise.all([l1Block('latest'), l1Block('finalized')])
    if (head) await follower.follow(head.hash)
    if (finalized) follower.finalize(finalized.number)
  }

  let queue: Promise<unknown> = Promise.resolve()
  const sync = () => {
    const result = queue.then(look)
    queue = result.catch(() => {})
    return result
  }

  let isFailing = false
  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      try {
        await sync()
        isFailing = false
      } catch (error) {
        if (!abort.signal.aborted && !isFailing) logger?.warn(error, 'L1 cannot be followed')
        isFailing = true
      }
      await sleep(clock, interval, abort.signal)
    }
  }
  const running = run().catch(() => {})

  return {
    sync,
    async stop() {
      restartOnReorg()
      abort.abort(new Error('The safe head was stopped.'))
      await running
      await queue
    },
  }
}
