import { type Clock, sleep } from '#protocol/clock/clock'

export interface LineOptions {
  clock: Clock
  /** Requests in a second, over all targets of a run. Default: as fast as they come. */
  rps?: number
  /** Sent with every request, such as an API key. */
  headers?: Readonly<Record<string, string>>
}

/** The one way to all targets of a run: it keeps the pace that they allow. */
export interface TargetLine {
  readonly headers: Readonly<Record<string, string>>
  /** Resolves when it is this request's turn. */
  take(signal: AbortSignal): Promise<void>
  /** Lets nobody pass for so many milliseconds, as a target asked for by `Retry-After`. */
  hold(milliseconds: number): void
}

export function createTargetLine({ clock, rps, headers = {} }: LineOptions): TargetLine {
  const gap = rps ? 1_000 / rps : 0
  let next = 0
  let heldUntil = 0
  return {
    headers,
    async take(signal) {
      for (;;) {
        const now = clock.now()
        const at = Math.max(now, next, heldUntil)
        next = at + gap
        if (at <= now) return
        await sleep(clock, at - now, signal)
        if (clock.now() >= heldUntil) return
      }
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds)
    },
  }
}
