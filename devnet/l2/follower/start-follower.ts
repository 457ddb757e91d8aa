import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { BlobSource } from '#devnet/l1/blobs/blob-source'
import { rpcL1Source } from '#devnet/l1/rpc-l1-source'
import type { ChainView } from '../node/chain-view.ts'
import { createDerivedChain, type DerivedChainParameters } from './derived-chain.ts'
import { type WatchL1Parameters, watchL1 } from './watch-l1.ts'

export interface StartFollowerParameters
  extends Omit<DerivedChainParameters, 'l1'>,
    Pick<WatchL1Parameters, 'clock' | 'interval'> {
  l1RpcUrl: string
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
}

export interface RunningFollower extends OwnedResource {
  readonly chain: ChainView
  /** Takes what L1 has now. Rejects when L1 cannot be read. */
  sync(): Promise<void>
}

/**
 * Starts a node that asks no sequencer: it derives the chain from L1 and executes it.
 * @example
 * const follower = await startFollower({ config, genesis, store, l1RpcUrl, clock: systemClock })
 * follower.chain.on('safe', ({ header, hash }) => compare(header.number, hash))
 * await follower.stop()
 */
export async function startFollower(parameters: StartFollowerParameters): Promise<RunningFollower> {
  const { l1RpcUrl, blobs, clock, interval, logger } = parameters
  const abort = new AbortController()
  const rpc = httpRpcClient(l1RpcUrl)
  const l1 = rpcL1Source(rpc, { signal: abort.signal, blobs })
  const derived = await createDerivedChain({ ...parameters, l1 })
  const watch = watchL1({ follower: derived, rpc, l1, clock, interval, abort, logger })
  const stop = () => watch.stop().finally(() => derived.close())
  return { chain: derived.chain, sync: () => watch.sync(), stop }
}
