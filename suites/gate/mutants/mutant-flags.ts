import { parseArgs } from 'node:util'
import type { Shard } from '../conformance/index.ts'

export interface MutantFlags {
  /** A mutant id, area or rule id, or globs of them. */
  only?: string
  /** Those made from the shapes of answers, not the zoo. */
  hasShapes: boolean
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
      shard: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      record: { type: 'string' },
    },
  })
  const [only] = positionals
  return {
    hasShapes: values.shapes,
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
