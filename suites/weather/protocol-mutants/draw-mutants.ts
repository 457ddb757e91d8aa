import { randomInt, seededRng } from '#protocol/random/rng'
import type { PartName } from '../model/part-name.ts'
import type { Mutation } from './mutation.ts'
import { mutationsOf } from './mutations-of.ts'
import { protocolFiles } from './protocol-files.ts'

export interface Mutant {
  part: PartName
  mutation: Mutation
}

/** Changes of each file, found once: no file changes while a process lives. */
const known = new Map<string, readonly Mutation[]>()

export interface Draw {
  /** Of each file. */
  count: number
  /** Of all of these; those of one part weigh as much as those of another. */
  most?: number | undefined
  seed: number
  shard?: { index: number; of: number }
  /** In the ids of those that are played. */
  pattern?: string
}

/** So many of each file, drawn by a seed for each file: the same ones as long as it does not change. */
export function drawMutants({
  count,
  most,
  seed,
  shard = { index: 0, of: 1 },
  pattern = '',
}: Draw): Mutant[] {
  const mutants = protocolFiles()
    .flatMap(({ part, path, text }) => {
      const rng = seededRng(`mutants ${seed}/${path}`)
      const left = [...(known.get(path) ?? mutationsOf(path, text))]
      known.set(path, [...left])
      const drawn: Mutant[] = []
      while (drawn.length < count && left.length > 0)
        drawn.push({ part, mutation: left.splice(randomInt(rng, left.length), 1)[0]! })
      return drawn
    })
    .filter(({ mutation }) => mutation.id.includes(pattern))
  const drawn = most === undefined ? mutants : drawSome(mutants, most, seed)
  return drawn.filter((_, at) => at % shard.of === shard.index)
}

/** One of a part after the other. */
function drawSome(mutants: readonly Mutant[], most: number, seed: number): Mutant[] {
  const rng = seededRng(`mutants ${seed}`)
  const parts = [...Map.groupBy(mutants, ({ part }) => part).values()]
  const drawn: Mutant[] = []
  for (let turn = 0; drawn.length < Math.min(most, mutants.length); turn++) {
    const left = parts[turn % parts.length]!
    if (left.length > 0) drawn.push(left.splice(randomInt(rng, left.length), 1)[0]!)
  }
  return drawn
}
