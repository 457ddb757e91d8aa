/** Flags of a prover host in order; a flag may come several times, and a switch has an empty value. */
export type HostFlags = readonly (readonly [flag: string, value: string])[]

/** A prover host that was started. */
export interface HostProcess {
  /** Whether it took a connection or ended, or neither in time. */
  state: 'listening' | 'ended' | 'late'
  /** Where it serves; undefined unless it listened. */
  url: string | undefined
  /** Resolves with the exit code when the process ended, null after a signal. */
  ended: Promise<number | null>
  /** What it printed so far. */
  output(): string
  interrupt(): void
}

export type LaunchHost = (flags: HostFlags) => Promise<HostProcess>
