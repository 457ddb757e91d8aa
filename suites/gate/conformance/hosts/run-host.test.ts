import { describe, expect, test } from 'vitest'
import { CaseSetAside } from '../case-failure.ts'
import { judgePatience, type RunningHost, using } from './run-host.ts'

type Replies = NonNullable<Parameters<typeof judgePatience>[1]>

const logging = (...lines: string[]) => ({ output: () => lines.join('\n') }) as RunningHost
const refusedBy = (message: string) =>
  [{ body: { error: { code: -32010, message } } }] as unknown as Replies

describe('given a scene whose enclaves are the gate’s own', () => {
  test('when its host gave one up by its log, then there is no verdict', () => {
    const host = logging(
      '{"msg":"ready"}',
      '{"reason":"connect timed out","msg":"enclave skipped"}',
    )
    expect(() => judgePatience(host)).toThrow(CaseSetAside)
  })

  test('when it gave one up by an answer, then there is none either', () => {
    const replies = refusedBy('connect timed out')
    expect(() => judgePatience(logging(), replies)).toThrow(CaseSetAside)
  })

  test('when it skipped one for what the enclave said, then it is judged', () => {
    const host = logging('{"reason":"no key today","msg":"enclave skipped"}')
    expect(() => judgePatience(host, refusedBy('no key today'))).not.toThrow()
  })
})

test('given several that are started, when one does not start, then the others are stopped', async () => {
  const late = Promise.withResolvers<{ stop(): Promise<void> }>()
  const stopped: string[] = []
  const resource = (name: string) => ({ stop: async () => void stopped.push(name) })
  const resources = [Promise.resolve(resource('a')), Promise.reject(new Error('no')), late.promise]
  const used = expect(using(resources, async () => stopped.push('used'))).rejects.toThrow('no')
  late.resolve(resource('b'))
  await used
  expect(stopped).toEqual(['a', 'b'])
})
