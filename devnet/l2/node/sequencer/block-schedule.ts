/**
 * The times of one block's flashblocks, in milliseconds. A block with timestamp T is built in the
 * block time before T and sealed at T, so that `latest` always carries the present time.
 */
export interface BlockSchedule {
  /** User flashblocks in a block; the last one falls on the block boundary. */
  flashblocks: number
  /** Which flashblock is due at a time: 0 before the first, `flashblocks` from the boundary on. */
  slotAt(now: number): number
  /** When the next flashblock after `now` is due; not later than the boundary. */
  nextTick(now: number): number
  /** A block time before the boundary. */
  start: number
  boundary: number
}

/**
 * @param timestampMs of the block
 * @param interval milliseconds in which it is built
 * @param flashblockTime milliseconds
 */
export function blockSchedule(
  timestampMs: bigint,
  interval: number,
  flashblockTime: number,
): BlockSchedule {
  const boundary = Number(timestampMs)
  const start = boundary - interval
  const flashblocks = Math.ceil(interval / flashblockTime)
  const slotAt = (now: number) => {
    if (now >= boundary) return flashblocks
    return Math.max(0, Math.floor((now - start) / flashblockTime))
  }
  return {
    flashblocks,
    start,
    boundary,
    slotAt,
    nextTick: (now) => Math.min(start + (slotAt(now) + 1) * flashblockTime, boundary),
  }
}
