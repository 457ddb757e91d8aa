import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { patience } from '#devnet/base/supervisor/patience'
import type { ChainView } from '#devnet/l2/node/chain-view'
import { type Clock, sleep } from '#protocol/clock/clock'
import { SteadyClock } from '#protocol/clock/steady-clock'
import { decodeL1Attributes } from '#protocol/derivation/l1-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'

export interface HeartbeatOptions {
  supervisor: Supervisor
  chain: Pick<ChainView, 'latest' | 'safe' | 'divergence'>
  config: Pick<RollupConfig, 'blockTime' | 'maxSequencerDrift'>
  l1: RpcClient
  /** Seconds. */
  l1BlockTime: number
  clock: Clock
  /** Of the machine. Default: `clock`. */
  wall?: Clock
}

/** Milliseconds between two beats. */
const BEAT = 1_000
/** Beats without a new L1 block, beside the block time, that are worth a warning. */
const SILENT_BEATS = 5
/** Part of the allowed drift after which users should hear of it. */
const DRIFT_SHARE = 0.8
/** Beats in which the safe head stands while L2 goes on. */
const STANDING_BEATS = 60

/**
 * Looks at what goes wrong slowly, once a second, and warns before it hurts: L1 makes no blocks, L2 is
 * near the end of its drift from L1 (OP specs, "sequencer drift"), the safe head stands, the clock was
 * put back. Beats are counted, not time: a machine that stalls as a whole is no news.
 */
export function startHeartbeat(options: HeartbeatOptions): OwnedResource {
  const { supervisor, chain, config, l1, clock, wall = clock } = options
  const ending = new AbortController()
  const silence = patience(SILENT_BEATS + Math.max(0, Math.ceil(options.l1BlockTime * 2) - 4))
  const standing = patience(STANDING_BEATS)
  let l1Head: unknown
  let isAsking = false

  function askL1(): void {
    if (isAsking) return
    isAsking = true
    l1.request('eth_blockNumber', [], ending.signal)
      .then(
        (head) => {
          l1Head = head
        },
        () => {},
      )
      .finally(() => {
        isAsking = false
      })
  }

  function beat(): void {
    askL1()
    const beats = silence(l1Head)
    supervisor.warn(
      'L1',
      beats === undefined
        ? undefined
        : `no new block for ${beats} s: L2 includes nothing new of L1.`,
    )

    const latest = chain.latest()
    const drift = driftOf(latest)
    // Whose time a cheat has moved takes transactions however far ahead it is.
    const isMoved = chain.divergence()?.cause === 'timestamp'
    const isNear = !isMoved && drift >= config.maxSequencerDrift * DRIFT_SHARE
    supervisor.warn(
      'drift',
      isNear
        ? `L2 is ${drift} s ahead of its L1 origin; from ${config.maxSequencerDrift} s on its blocks take no transactions.`
        : undefined,
    )

    const safe = chain.safe().header.number
    // What a cheat made is never safe, and is told as `divergence`.
    const isBehind = latest.header.number > safe && !chain.divergence()
    const stood = standing(isBehind ? safe : undefined)
    supervisor.warn(
      'safe head',
      stood === undefined
        ? undefined
        : `block ${safe} is the last one on L1 for ${stood} s, L2 is at ${latest.header.number}.`,
    )
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(clock, BEAT, ending.signal)
      beat()
    }
  }
  const running = run().catch(() => {})
  const forget =
    wall instanceof SteadyClock
      ? wall.onStep(({ ahead }) => {
          const seconds = Math.round(ahead / 1000)
          supervisor.warn(
            'clock',
            seconds > 0 ? `block times are ${seconds} s ahead of it.` : undefined,
          )
        })
      : () => {}

  return {
    async stop() {
      forget()
      ending.abort(new Error('The devnet stops.'))
      await running
    },
  }
}

/** Seconds. */
function driftOf({ header, transactions }: Block): number {
  const [first] = transactions
  if (!first) return 0
  return Number(header.timestamp) - Number(decodeL1Attributes(first.data).l1Timestamp)
}
