import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from '#devnet/cli/run'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { openCorpus } from '../corpus/open-corpus.ts'
import { CHECKERS } from '../judge-log.ts'

let folder: string
let lines: string[]
let errors: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farm-'))
  lines = []
  errors = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(String(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

describe('rollbed fault farm', () => {
  test('given a failure that is known, then it is played first by farm and swarm, exit 1, and mended where it holds, exit 0', async () => {
    const [checker] = CHECKERS
    openCorpus(folder, {
      ...{ body: 'simulated', shard: { index: 0, of: 1 }, build: 'one' },
      now: () => '2026-01-01T00:00:00.000Z',
    }).add(parseFaultPlan({ duration: 500, world: { blockTime: 1 } }), [
      { checker: checker!.name, t: 1, problem: 'planted 7' },
    ])
    const planted = vi
      .spyOn(checker!, 'safety')
      .mockImplementation(() => [{ t: 1, problem: 'planted 8' }])
    expect(await run(['fault', 'swarm', '--corpus', folder, '--runs', '1'])).toBe(1)
    expect(lines.join('\n')).toContain('0 runs')
    const farm = ['fault', 'farm', '--corpus', folder, '--runs', '0', '--json']
    expect(await run([...farm, '--build', 'two'])).toBe(1)
    expect(errors.join('\n')).toContain('planted 8')
    planted.mockRestore()
    lines = []
    expect(await run([...farm, '--build', 'three'])).toBe(0)
    expectFitsSchema('fault farm', lines.join(''))
    expect(JSON.parse(lines.join(''))).toMatchObject({
      ...{ again: 1, played: 0, broken: 0, mended: 1, failures: [] },
      playsPerCpuHour: expect.toSatisfy((plays: number) => plays > 0),
    })
    lines = []
    expect(await run(['fault', 'corpus', folder, '--json'])).toBe(0)
    expectFitsSchema('fault corpus', lines.join(''))
    const found = JSON.parse(lines.join(''))
    expect(found).toEqual(JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8')))
    expect(found.failures).toMatchObject([
      { problem: 'planted N', since: { build: 'one' }, mended: { build: 'three' } },
    ])
    expect(existsSync(join(folder, 'found.html'))).toBe(true)
  })

  test.each([
    [['--corpus', 'there'], /Say for how long/],
    [['--corpus', 'there', '--for', '8'], /a time such as 90s/],
    [['--for', '1s'], /--corpus/],
    [['--corpus', import.meta.filename, '--for', '1s'], /holds no failures/],
  ])('given %j, then exit 2 says what is wrong', async (flags, message) => {
    const standard = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      errors.push(String(text))
      return true
    })
    expect(await run(['fault', 'farm', ...flags])).toBe(2)
    standard.mockRestore()
    expect(errors.join('\n')).toMatch(message)
  })
})
