import { randomInt, seededRng } from '#protocol/random/rng'
import type { PartName } from '../model/part-name.ts'
import type { Mutation } from './mutation.ts'
import { mutationsOf } from './mutations-of.ts'
import { protocolFiles } from './protocol-files.ts'

export interface Mutant {
  part: PartName
  mutation: Mutation
}

/** So many of each file, drawn by a seed for each file: the same ones as long as it does not change. */
export function drawMutants({
  count,
  seed,
  shard = { index: 0, of: 1 },
  pattern = '',
}: {
  count: number
  seed: number
  shard?: { index: number; of: number }
  /** In the ids of those that are played. */
  pattern?: string
}): Mutant[] {
  return protocolFiles()
    .flatMap(({ part, path, text }) => {
      const rng = seededRng(`mutants ${seed}/${path}`)
      const left = mutationsOf(path, text)
      const drawn: Mutant[] = []
      while (drawn.length < count && left.length > 0)
        drawn.push({ part, mutation: left.splice(randomInt(rng, left.length), 1)[0]! })
      return drawn
    })
    .filter(({ mutation }) => mutation.id.includes(pattern))
    .filter((_, at) => at % shard.of === shard.index)
}
