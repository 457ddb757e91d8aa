import type { Clock, Timer } from '#protocol/clock/clock'

export interface PaceSlotsOptions {
  clock: Clock
  /** Seconds; when slot 0 was. */
  genesisTime: number
  /** Seconds from slot to slot. */
  slotTime: number
  /** The last slot that has its block. @default 0 */
  last?: number
  /**
   * No slot comes on the clock before the first that is taken, and that is the next one however late it is:
   * what follows from its time would be of another chain on a busy machine.
   * @default false
   */
  waits?: boolean
  /** Each slot at most once, in order. */
  onSlot(slot: number): void
}

export interface SlotPace extends Timer {
  /** The next slot, which is the caller's now, before its time or after: it does not come on the clock. */
  take(): number
}

/**
 * Slots that a busy machine makes up for. Who slept longer than that has left them out: L2 takes one origin a
 * block, and would stay as far behind as were made at once.
 */
const MADE_UP = 8

/**
 * Counts L1's slots. A timer may fire a millisecond early, seconds late on a busy machine or hours late
 * on one that slept: what is due next follows from the last slot, never from the clock alone.
 */
export function paceSlots(options: PaceSlotsOptions): SlotPace {
  const { clock, genesisTime, slotTime, last = 0, waits = false, onSlot } = options
  const slotNow = () => Math.floor((clock.now() / 1000 - genesisTime) / slotTime)
  let next = last + 1
  let timer: Timer | undefined

  function wait(): void {
    timer?.cancel()
    const due = (genesisTime + next * slotTime) * 1000
    // The slot may have begun since the look that found it next; Node.js warns of a delay below zero.
    timer = clock.after(Math.max(0, due - clock.now()), () => {
      leaveOut()
      const until = Math.max(next, slotNow())
      const first = next
      next = until + 1
      wait()
      for (let slot = first; slot <= until; slot++) onSlot(slot)
    })
  }

  function leaveOut(): void {
    const now = slotNow()
    if (now - next >= MADE_UP) next = now
  }

  let isBegun = !waits
  if (isBegun) {
    leaveOut()
    wait()
  }
  return {
    take() {
      if (isBegun) leaveOut()
      isBegun = true
      const slot = next++
      wait()
      return slot
    },
    cancel: () => timer?.cancel(),
  }
}
