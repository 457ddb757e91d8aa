import { median, type Row } from '../measurement.ts'
import type { Contestant } from './contestant.ts'
import { load, type Question } from './load.ts'
import type { ReadCase } from './read-case.ts'

/** Where a case does not say how many. */
export const CONNECTIONS = 16
export const ROUNDS = 5
/** Milliseconds of one contestant's turn. */
export const TURN = 400
/** Of the first turn, which is not counted: V8 compiles what is hot over some thousand answers. */
export const WARM_UP = 2_000

/** One kind of read, from the devnet and from anvil in turns. */
export async function compareRead(
  read: ReadCase,
  ours: Contestant,
  anvil: Contestant,
): Promise<Row> {
  if (process.stderr.isTTY) process.stderr.write(`${read.what}\n`)
  const turns = [await turnsOf(read, ours), await turnsOf(read, anvil)] as const
  const rates: [number[], number[]] = [[], []]
  const costs: [number[], number[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    for (const [who, turn] of turns.entries()) {
      const { rate, cost } = await turn(round < 0 ? WARM_UP : TURN)
      if (round < 0) continue
      rates[who]!.push(rate)
      costs[who]!.push(cost)
    }
  }
  const quotients = ([a, b]: [number[], number[]]) => a.map((value, round) => value / b[round]!)
  return {
    what: read.what,
    values: {
      'ours/s': median(rates[0]),
      'anvil/s': median(rates[1]),
      'ours ÷ anvil': median(quotients(rates)),
      'our CPU µs': median(costs[0]),
      'CPU ÷ anvil': median(quotients(costs)),
    },
  }
}

/** Asks one contestant for so long; tells answers per second, and µs of CPU for each. */
export async function turnsOf(read: ReadCase, { url, cpuSeconds, ...contestant }: Contestant) {
  const questions: readonly Question[] = await read.questions({ url, cpuSeconds, ...contestant })
  const connections = read.connections ?? CONNECTIONS
  return async (milliseconds: number) => {
    const [cpu, start] = [cpuSeconds(), performance.now()]
    const rate = await load({ url, questions, connections, milliseconds })
    const answers = (rate * (performance.now() - start)) / 1000
    return { rate, cost: (1e6 * (cpuSeconds() - cpu)) / answers }
  }
}
