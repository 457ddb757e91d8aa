/** One line of a benchmark's table. */
export interface Row {
  what: string
  /** Values by column, in the unit the column names. */
  values: Record<string, number>
}

export interface BenchResult {
  title: string
  /** What is needed to read the numbers. */
  note: string
  rows: Row[]
}

/** The value below which a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Milliseconds that the work takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Milliseconds per contestant, round by round: contestants take turns, so that whatever else the
 * machine does hits all alike. The first rounds are not counted.
 */
export async function sideBySide<Name extends string>(
  contestants: Record<Name, () => unknown>,
  rounds: number,
  warmUp = Math.ceil(rounds / 5),
): Promise<Record<Name, number[]>> {
  const entries = Object.entries(contestants) as [Name, () => unknown][]
  const times = Object.fromEntries(entries.map(([name]) => [name, [] as number[]]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, work] of entries) {
      const taken = await time(work)
      if (round >= 0) times[name]!.push(taken)
    }
  }
  return times as Record<Name, number[]>
}
