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

/** What makes other bytes of those that were sent. */
export const GARBLING: ReadonlySet<string> = new Set(['duplicate', 'corrupt', 'reorder'])

/**
 * When other bytes came than were sent, between the host and an enclave. They then say nothing of either: no vsock
 * and no TCP delivers such bytes.
 */
export function enclaveGarblings(events: readonly LoggedEvent[]): FaultTime[] {
  return faultTimes(events).filter(
    ({ target, fault }) => GARBLING.has(fault) && target.startsWith('link:host-enclave'),
  )
}
