import type { Logger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { LOOK_DESPITE_NEWS, type OnNews, pacedWork } from '#devnet/base/process/paced-work'
import type { Clock } from '#protocol/clock/clock'
import type { L1Source } from '#protocol/derivation/l1-source'
import type { Hash } from '#protocol/types/bytes'
import type { Follower } from './follower.ts'

export interface WatchL1Parameters {
  follower: Pick<Follower, 'follow' | 'finalize'>
  rpc: RpcClient
  /** Reads headers, each true to its hash. */
  l1: Pick<L1Source, 'header'>
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
  const { follower, rpc, l1, clock, news, abort, logger } = parameters
  const interval = parameters.interval ?? (news ? LOOK_DESPITE_NEWS : 200)

  async function hashOf(tag: string): Promise<Hash | undefined> {
    const block = await rpc.request('eth_getBlockByNumber', [tag, false], abort.signal)
    return block ? (block as { hash: Hash }).hash : undefined
  }

  let seen: Hash | undefined

  async function look(): Promise<void> {
    const head = await hashOf('latest')
    if (head) await follower.follow(head)
    // Finality moves with the head alone.
    if (head && head === seen) return
    const finalized = await hashOf('finalized')
    // What is final is never taken back: its number is read from what hashes to it.
    if (finalized) follower.finalize((await l1.header(finalized)).number)
    seen = head
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
