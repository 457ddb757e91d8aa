import type { Clock, Timer } from '#protocol/clock/clock'

export interface PaceSlotsOptions {
  clock: Clock
  /** Seconds; when slot 0 was. */
  genesisTime: number
  /** Seconds from slot to slot. */
  slotTime: number
  /** Each slot at most once, in order; those that are over when a timer fires late are left out. */
  onSlot(slot: number): void
}

/**
 * Counts L1's slots. A timer may fire a millisecond early or hours late (a machine that slept): what is
 * due next follows from the last slot, never from the clock alone.
 */
export function paceSlots({ clock, genesisTime, slotTime, onSlot }: PaceSlotsOptions): Timer {
  const slotAt = (now: number) => Math.floor((now / 1000 - genesisTime) / slotTime)
  let timer: Timer

  function wait(next: number): void {
    const due = (genesisTime + next * slotTime) * 1000
    // The slot may have begun since the look that found it next; Node.js warns of a delay below zero.
    timer = clock.after(Math.max(0, due - clock.now()), () => {
      const slot = Math.max(next, slotAt(clock.now()))
      wait(slot + 1)
      onSlot(slot)
    })
  }

  wait(slotAt(clock.now()) + 1)
  return { cancel: () => timer.cancel() }
}
