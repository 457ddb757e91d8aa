import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'

/** Parts and links by which no block comes to L1, and none comes back. */
const BESIDE = /api|enclave|host|subscriber|client|actor|proposer|challenger|registrar/
const PARTS = ['l1', 'node', 'batcher']
const UPSETS = ['reorg', 'started', 'ended', 'stopped', 'continued']

/** Milliseconds between two tries of a node to write a block that its disk did not take. */
const WRITE_AGAIN = 1_000

/**
 * Until when something kept L2 from L1: a fault of a part between them, a death, a reorganization of either.
 * @returns by a moment, the last one before it, in milliseconds of the log; that moment where it still lasts
 */
export function hinderedUntil(events: readonly LoggedEvent[]): (t: number) => number {
  const times = [
    ...faultTimes(events)
      .filter(({ target }) => !BESIDE.test(target))
      .map(({ target, from, to }) => ({
        from,
        to: target === 'disk:state' ? to + WRITE_AGAIN : to,
      })),
    ...events
      .filter(({ who, what }) => PARTS.includes(who) && UPSETS.includes(what))
      .map(({ t }) => ({ from: t, to: t })),
  ]
  return (t) =>
    times.reduce((last, { from, to }) => (from <= t ? Math.max(last, Math.min(to, t)) : last), 0)
}
