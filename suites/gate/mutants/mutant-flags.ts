import { parseArgs } from 'node:util'
import type { Shard } from '../conformance/index.ts'

export const MUTANT_HELP = `npm run mutants -- [FLAGS] [GLOB]: breaks a devnet in each way the zoo knows, one at a time, and
fails unless the gate notices every one by a case of the broken rule.

  GLOB           a mutant's id, area or rule, or a glob of them, such as 'RPC-PEND-*'; all by default
  --shapes       those made from the shapes of answers instead of the zoo; a survivor needs its reason in survivors.yaml
  --replay       with --shapes: first each is put before the answers of one run, and what is not noticed there plays
                 alone, as do those of other targets
  --shard I/N    one of N parts, such as 1/3
  --sample N     so many, drawn by --seed
  --seed S       of --sample, a whole number; 1 by default
  --record FILE  writes there what share of each rule's mutants was killed
  --help         this text; nothing is broken`

export interface MutantFlags {
  /** A mutant id, area or rule id, or globs of them. */
  only?: string
  /** Those made from the shapes of answers, not the zoo. */
  hasShapes: boolean
  /** First before the answers of one run, which takes a second each. */
  isReplayed: boolean
  shard?: Shard
  /** How many, drawn by `seed`; absent: all. */
  sample?: number
  seed: number
  /** File into which the shares killed per rule are written. */
  record?: string
}

/** Reads the arguments of `npm run mutants`. @throws RangeError, and TypeError on a flag that is none */
export function parseMutantFlags(args: readonly string[]): MutantFlags {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      shapes: { type: 'boolean', default: false },
      replay: { type: 'boolean', default: false },
      shard: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      record: { type: 'string' },
    },
  })
  const [only] = positionals
  return {
    hasShapes: values.shapes,
    isReplayed: values.replay,
    seed: wholeNumber('--seed', values.seed),
    ...(only && { only }),
    ...(values.shard && { shard: shardOf(values.shard) }),
    ...(values.sample && { sample: wholeNumber('--sample', values.sample) }),
    ...(values.record && { record: values.record }),
  }
}

function shardOf(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
  if (index && count && index <= count) return { index, count }
  throw new RangeError(`--shard must be like 1/3, not '${text}'`)
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`${flag} must be a whole number, not '${text}'`)
}
