/** One line of a log, as the recorder wrote it. */
export interface LoggedEvent {
  /** Milliseconds since the recording began. */
  t: number
  who: string
  what: string
  data: Readonly<Record<string, unknown>>
}

export interface Violation {
  checker: string
  /** Milliseconds since the recording began. */
  t: number
  /** One sentence. */
  problem: string
}

/** Judges a log alone. Safety holds at all times, liveness once the weather is over. */
export interface Checker {
  name: string
  /** What always holds, in one sentence. */
  says: string
  safety(events: readonly LoggedEvent[]): Found[]
  liveness?(events: readonly LoggedEvent[]): Found[]
}

export type Found = Omit<Violation, 'checker'>
