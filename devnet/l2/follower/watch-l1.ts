import type { Logger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { LOOK_DESPITE_NEWS, type OnNews, pacedWork } from '#devnet/base/process/paced-work'
import type { Clock } from '#protocol/clock/clock'
import type { Hash } from '#protocol/types/bytes'
import type { Follower } from './follower.ts'

export interface WatchL1Parameters {
  follower: Pick<Follower, 'follow' | 'finalize'>
  rpc: RpcClient
  clock: Clock
  /** Milliseconds between two looks at L1, 200 by default, 1,000 where `news` tells of blocks. */
  interval?: number | undefined
  /** Tells of new L1 blocks. */
  news?: OnNews | undefined
  /** Aborted when watching stops. */
  abort: AbortController
  logger?: Logger | undefined
}

export interface L1Watch extends OwnedResource {
  /** Looks at L1 now. Rejects when L1 cannot be read. */
  sync(): Promise<void>
}

/** Tells a follower of L1's head and its finalized block, look by look. */
export function watchL1(parameters: WatchL1Parameters): L1Watch {
  const { follower, rpc, clock, news, abort, logger } = parameters
  const interval = parameters.interval ?? (news ? LOOK_DESPITE_NEWS : 200)

  async function l1Block(tag: string): Promise<{ number: bigint; hash: Hash } | undefined> {
    const block = await rpc.request('eth_getBlockByNumber', [tag, false], abort.signal)
    if (!block) return undefined
    const { number, hash } = block as { number: string; hash: Hash }
    return { number: BigInt(number), hash }
  }

  let seen: Hash | undefined

  async function look(): Promise<void> {
    const head = await l1Block('latest')
    if (head) await follower.follow(head.hash)
    // Finality moves with the head alone.
    if (head && head.hash === seen) return
    const finalized = await l1Block('finalized')
    if (finalized) follower.finalize(finalized.number)
    seen = head?.hash
  }

  const watching = pacedWork({
    work: look,
    delay: () => interval,
    news,
    clock,
    abort,
    complaint: 'L1 cannot be followed',
    logger,
  })
  return {
    sync: watching.now,
    stop: () => watching.stop(new Error('L1 is no longer watched.')),
  }
}
