import { describe, expect, it } from 'vitest'
import { SHAPE_MUTANTS } from '#mocks/index'
import { drawSample } from './draw-sample.ts'
import { MUTANT_HELP, parseMutantFlags } from './mutant-flags.ts'
import { sharesOf } from './shape-shares.ts'
import { readSurvivors, reasonToLive } from './survivors.ts'

describe('npm run mutants', () => {
  it('given its flags, then a part and a sample are named', () => {
    const args = ['--shapes', '--shard', '2/3', '--sample', '60', '--seed', '7', 'block']
    expect(parseMutantFlags(args)).toEqual({
      hasShapes: true,
      isReplayed: false,
      shard: { index: 2, count: 3 },
      sample: 60,
      seed: 7,
      only: 'block',
    })
    expect(() => parseMutantFlags(['--shard', '4/3'])).toThrow('--shard must be like 1/3')
    expect(() => parseMutantFlags(['--sample', 'x'])).toThrow('--sample must be a whole number')
  })

  it('given --help, then it tells every flag that is read, and no other', () => {
    const named = [...MUTANT_HELP.matchAll(/^ {2}(--[a-z]+)( [A-Z])?/gm)]
    expect(named.length).toBeGreaterThan(4)
    for (const [, flag, hasValue] of named) {
      const read = () => parseMutantFlags([flag!, ...(hasValue ? ['1/1'] : [])])
      if (flag === '--help') expect(read).toThrow('Unknown option')
      else expect(read, flag).not.toThrow('Unknown option')
    }
  })

  it('given a seed, then it draws the same sample, and another seed another one', () => {
    const draw = (seed: number) =>
      drawSample(SHAPE_MUTANTS, { count: 20, seed }).map(({ id }) => id)
    expect(draw(1)).toEqual(draw(1))
    expect(new Set(draw(1)).size).toBe(20)
    expect(draw(1)).not.toEqual(draw(2))
  })

  it('given outcomes, then those whose mistake never showed are in no share', () => {
    const outcome = (
      id: string,
      verdict: 'killed' | 'killed-by-others' | 'survived' | 'not-met',
    ) => ({
      id,
      rule: 'RPC-BLK-05',
      area: 'block',
      says: '',
      verdict,
      killers: [],
      unjudged: [],
    })
    const outcomes = [
      outcome('a', 'killed'),
      outcome('b', 'killed-by-others'),
      outcome('c', 'survived'),
      outcome('d', 'not-met'),
    ]
    expect(sharesOf({ outcomes }, { date: '2026-11-23', seed: 1, all: 9 })).toEqual({
      date: '2026-11-23',
      seed: 1,
      all: 9,
      played: 4,
      rules: [{ rule: 'RPC-BLK-05', killed: 2, survived: 1, notMet: 1 }],
      survivors: ['c'],
    })
  })

  it('given the list of survivors, then each entry names a mutant that there is', () => {
    for (const entry of readSurvivors()) {
      const named = SHAPE_MUTANTS.filter(({ id }) => reasonToLive(id, [entry]))
      expect(named.length, entry.mutant).toBeGreaterThan(0)
    }
  })
})
