import type { Schedule } from '../types/schedule.ts'
import { rulesAt } from './schedule.ts'

/** What the times of a chain's blocks follow from; a RollupConfig is one. */
export interface BlockTimes {
  genesis: {
    l2: { number: number }
    /** Seconds; timestamp of the L2 genesis block. */
    l2Time: number
  }
  /** Seconds between blocks where no upgrade says otherwise. */
  blockTime: number
  upgrades?: Schedule
}

/**
 * The time of a block's successor. Asks nothing of block numbers, and so holds on a chain whose time a
 * cheat has moved, too.
 * @param parentMs milliseconds since 1970
 * @example
 * nextBlockMs({ blockTime: 2, upgrades: { denim: 15 } }, 16_000n) // 16_200n
 */
export function nextBlockMs(
  { blockTime, upgrades }: Pick<BlockTimes, 'blockTime' | 'upgrades'>,
  parentMs: bigint,
): bigint {
  return parentMs + (rulesAt(upgrades, parentMs).blockInterval ?? BigInt(blockTime) * 1000n)
}

/**
 * The time of the block after `parent` by what its number and its seconds say: that of a chain whose
 * time nobody moved.
 * @param parent its `timestamp` in seconds
 * @returns milliseconds since 1970
 */
export function successorMs(
  times: BlockTimes,
  parent: { number: bigint; timestamp: bigint },
): bigint {
  const parentMs = parent.timestamp * 1000n
  const { blockInterval } = rulesAt(times.upgrades, parentMs)
  return blockInterval === undefined
    ? nextBlockMs(times, parentMs)
    : blockMs(times, parent.number + 1n)
}

/**
 * The first block of 200 ms: the first slot of the old grid at or after Denim's time, the genesis block
 * where Denim holds from the start; undefined where it never comes.
 * Source: base/base rollup.rs (`A = G + ceil((D - T0) / b)`).
 */
export function firstFastBlock({ genesis, blockTime, upgrades }: BlockTimes): bigint | undefined {
  const start = BigInt(genesis.l2Time)
  const at = upgrades?.denim ?? 'never'
  if (at === 'never') return undefined
  const wait = at === 'genesis' ? 0n : BigInt(at) - start
  const step = BigInt(blockTime)
  const slots = wait <= 0n ? 0n : (wait + step - 1n) / step
  return BigInt(genesis.l2.number) + slots
}

/**
 * When a block is due: the one place where a number becomes a time, in two pieces.
 * @returns milliseconds since 1970; `/ 1000n` are the seconds of its header, `% 1000n` BaseTime's part
 * @example
 * blockMs({ genesis: { l2: { number: 0 }, l2Time: 10 }, blockTime: 2, upgrades: { denim: 15 } }, 4n) // 16_200n
 */
export function blockMs(times: BlockTimes, number: bigint): bigint {
  const { genesis, blockTime, upgrades } = times
  const start = BigInt(genesis.l2Time) * 1000n
  const slot = BigInt(blockTime) * 1000n
  const first = BigInt(genesis.l2.number)
  const fast = firstFastBlock(times)
  if (fast === undefined || number < fast) return start + slot * (number - first)
  const fastMs = start + slot * (fast - first)
  return fastMs + rulesAt(upgrades, fastMs).blockInterval! * (number - fast)
}

/** The seconds of a block's header. */
export function blockSeconds(times: BlockTimes, number: bigint): bigint {
  return blockMs(times, number) / 1000n
}

/**
 * The newest block that is due at a time; the genesis block where none is due yet.
 * @param timestampMs milliseconds since 1970
 */
export function blockAt(times: BlockTimes, timestampMs: bigint): bigint {
  const { genesis, blockTime, upgrades } = times
  const start = BigInt(genesis.l2Time) * 1000n
  const first = BigInt(genesis.l2.number)
  if (timestampMs <= start) return first
  const slow = first + (timestampMs - start) / (BigInt(blockTime) * 1000n)
  const fast = firstFastBlock(times)
  if (fast === undefined || slow < fast) return slow
  const fastMs = blockMs(times, fast)
  return fast + (timestampMs - fastMs) / rulesAt(upgrades, fastMs).blockInterval!
}

/**
 * The blocks whose headers bear a second: none, one, or up to five.
 * @example
 * for (const number of blocksOfSecond(config, 16n)) console.log(number)
 */
export function blocksOfSecond(times: BlockTimes, seconds: bigint): bigint[] {
  const found: bigint[] = []
  let number = blockAt(times, seconds * 1000n + 999n)
  for (; blockSeconds(times, number) === seconds; number--) {
    found.unshift(number)
    if (number === BigInt(times.genesis.l2.number)) break
  }
  return found
}
