import { timeOf } from './asked-blocks.ts'
import { FAST, SLOW } from './block-pace.ts'
import { median } from './called.ts'
import type { Break } from './find-breaks.ts'
import { type AskedEra, findWaits } from './find-waits.ts'
import { inWords } from './in-words.ts'

/** Blocks in a row that make somebody who asks for each. */
const EACH = 3
/** Seconds in a row of which somebody asks for one block: fewer come about by chance. */
const SECONDS = 5

/**
 * What a program does otherwise on a chain with blocks of 200 ms than on one before Denim: waits that it
 * counts in blocks, and blocks that it takes for another by their second.
 * @param before what it asked before Denim
 * @param later what it asked in each later era
 */
export function findChanges(before: AskedEra, later: readonly AskedEra[]): Break[] {
  return [...countedWaits(before, later), ...onePerSecond(before, later)]
}

/** The same number of confirmations, in less than half of the time: no clock told it to go on. */
function countedWaits(before: AskedEra, later: readonly AskedEra[]): Break[] {
  const waits = findWaits(before)
  const blocks = median(waits.map((wait) => wait.blocks)) ?? 0
  const fast = later.flatMap(findWaits).filter(({ isFast }) => isFast)
  const since = median(fast.map(({ ms }) => ms))
  const was = median(waits.map(({ ms }) => ms)) ?? 0
  if (blocks < 2 || since === undefined || since >= was / 2) return []
  return [
    {
      kind: 'look',
      what: `${blocks} confirmations`,
      count: waits.length,
      why: `They were ${inWords(blocks * SLOW)}, and are ${inWords(blocks * FAST)}.`,
      instead: 'safe or finalized, which L1 decides, or as many as the time asks for',
    },
  ]
}

/** Each block before, and since then the first of each second: it keeps by second what it was told. */
function onePerSecond(before: AskedEra, later: readonly AskedEra[]): Break[] {
  const asked = byMethod(before)
  return later.flatMap((era) =>
    [...byMethod(era)].flatMap(([method, numbers]): Break[] => {
      const isEach = isRow(asked.get(method) ?? [], EACH)
      const seconds = numbers.map((number) => (timeOf(era.asked, number) ?? 0) / 1000)
      // Who began in the middle of a second had the rest of it alone.
      const isFirstOfSecond = seconds.slice(1).every(Number.isInteger)
      if (!isEach || !isFirstOfSecond || !isRow(seconds.map(Math.floor), SECONDS)) return []
      return [
        {
          kind: 'breaks',
          what: `${method}, of one block of a second`,
          count: numbers.length,
          why: 'It asked for each block before, and asks for one of five: they share a second.',
          instead: 'the number or the hash of a block as the key of what is kept',
        },
      ]
    }),
  )
}

/** Numbers of the blocks that were asked for, each once, in order. */
function byMethod({ calls, asked }: AskedEra): Map<string, number[]> {
  const found = new Map<string, Set<number>>()
  for (const [index, { method }] of calls.entries()) {
    const number = asked.numbers[index]
    if (number === undefined) continue
    found.set(method, (found.get(method) ?? new Set()).add(number))
  }
  return new Map([...found].map(([method, each]) => [method, [...each].sort((a, b) => a - b)]))
}

const isRow = (values: readonly number[], least: number) =>
  values.length >= least && values.at(-1)! - values[0]! === values.length - 1
