import { median, type Row } from '../measurement.ts'
import type { Contestant } from './contestant.ts'
import { isWarm } from './is-warm.ts'
import { load, type Question } from './load.ts'
import type { ReadCase } from './read-case.ts'

/** Where a case does not say how many. */
export const CONNECTIONS = 16
export const ROUNDS = 5
/** Milliseconds of one contestant's turn. */
export const TURN = 400
/** Of each turn before those that count. */
const WARM_UP = 1_000
/** Turns of warming up, for who never gets any cheaper or always does. */
const MOST_WARM_UPS = 16

/** One kind of read, from the devnet and from anvil in turns. */
export async function compareRead(
  read: ReadCase,
  ours: Contestant,
  anvil: Contestant,
): Promise<Row> {
  if (process.stderr.isTTY) process.stderr.write(`${read.what}\n`)
  const turns = [await turnsOf(read, ours), await turnsOf(read, anvil)] as const
  const first = await warmUp(turns)
  const rates: [number[], number[]] = [[], []]
  const costs: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [who, turn] of turns.entries()) {
      const { rate, cost } = await turn(TURN)
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
      'our CPU µs, first second': first,
    },
  }
}

/**
 * Asks until answers do not get cheaper any more: V8 compiles what is hot over some ten thousand of them, which a
 * busy machine takes ten times as long for as a quiet one.
 * @returns what an answer of the first contestant cost in the first turn
 */
export async function warmUp(
  turns: readonly ((milliseconds: number) => Promise<{ cost: number }>)[],
): Promise<number> {
  const costs: number[][] = turns.map(() => [])
  for (let round = 0; round < MOST_WARM_UPS && !costs.every(isWarm); round++) {
    for (const [who, turn] of turns.entries()) costs[who]!.push((await turn(WARM_UP)).cost)
  }
  return costs[0]![0]!
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
