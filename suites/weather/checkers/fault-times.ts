import type { LoggedEvent } from './checker.ts'

export interface FaultTime {
  target: string
  fault: string
  /** What the fault was told. */
  with: Readonly<Record<string, unknown>>
  from: number
  /** Infinity where its end is not in the log. */
  to: number
}

/** When which fault was in force, by the log. */
export function faultTimes(events: readonly LoggedEvent[]): FaultTime[] {
  const open = new Map<unknown, FaultTime>()
  const times: FaultTime[] = []
  for (const { t, who, what, data } of events) {
    if (what === 'fault.on') {
      const time: FaultTime = {
        target: who,
        fault: String(data.fault),
        with: Object(data.with ?? {}),
        from: t,
        to: Number.POSITIVE_INFINITY,
      }
      times.push(time)
      open.set(data.id, time)
    }
    const ending = what === 'fault.off' && open.get(data.id)
    if (ending) ending.to = t
  }
  return times
}

/**
 * When bits were turned over between the host and an enclave. What came over that line then says nothing of either:
 * a real one, or TCP, would have thrown it away.
 */
export function enclaveGarblings(events: readonly LoggedEvent[]): FaultTime[] {
  return faultTimes(events).filter(
    ({ target, fault }) => fault === 'corrupt' && target.startsWith('link:host-enclave'),
  )
}
