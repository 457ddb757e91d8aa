import { expect, test } from 'vitest'
import { shardOf } from './shard-of.ts'

test('given nothing, then all is played here', () => {
  expect(shardOf(undefined, {})).toEqual({ index: 0, of: 1 })
  expect(shardOf(undefined, { JOB_COMPLETIONS: '8' })).toEqual({ index: 0, of: 1 })
})

test('given the environment of a Kubernetes Indexed Job, then it names the part', () => {
  const environment = { JOB_COMPLETION_INDEX: '7', JOB_COMPLETIONS: '8' }
  expect(shardOf(undefined, environment)).toEqual({ index: 7, of: 8 })
})

test('given --shard in such a job, then what was said holds', () => {
  const environment = { JOB_COMPLETION_INDEX: '7', JOB_COMPLETIONS: '8' }
  expect(shardOf('1/4', environment)).toEqual({ index: 1, of: 4 })
})

test.each([
  ['a part past the last', '4/4', {}],
  ['no part of none', '0/0', {}],
  ['words', 'first/4', {}],
  ['a job that does not say how many it has', undefined, { JOB_COMPLETION_INDEX: '0' }],
  ['an index past the last', undefined, { JOB_COMPLETION_INDEX: '8', JOB_COMPLETIONS: '8' }],
])('given %s, then it is refused with what to say instead', (_, flag, environment) => {
  expect(() => shardOf(flag, environment)).toThrow(/is no shard/)
  try {
    shardOf(flag, environment)
  } catch (error) {
    expect((error as { hint: string }).hint).toContain('JOB_COMPLETION_INDEX')
  }
})
