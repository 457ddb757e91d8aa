import type { EventRecorder } from '#devnet/faults/event-recorder'

/**
 * Which lines turn bytes over, and did. What comes over such a line says nothing of who sent it: TCP would
 * have thrown it away.
 */
export class GarbledLinks {
  readonly #now = new Map<unknown, string>()
  /** Link → when it was last set right; milliseconds since the recording began. */
  readonly #ended = new Map<string, number>()

  constructor(recorder: EventRecorder) {
    recorder.on(({ t, who, what, data }) => {
      if (what === 'fault.on' && data.fault === 'corrupt') this.#now.set(data.id, who)
      if (what === 'fault.off' && this.#now.delete(data.id)) this.#ended.set(who, t)
    })
  }

  /** Whether a line turned bytes over at any moment from `since` on; milliseconds since the recording began. */
  touched(link: string, since: number): boolean {
    return [...this.#now.values()].includes(link) || (this.#ended.get(link) ?? -1) >= since
  }
}
