import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '#devnet/cli/run'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { CHECKERS } from '../judge-log.ts'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
})
afterEach(() => vi.restoreAllMocks())

const PLAN = JSON.stringify({
  ...{ duration: 1_500, world: { blockTime: 1 } },
  faults: [{ at: 900, until: 1_000, target: 'link:client-l1', fault: 'duplicate' }],
})

test('given a plan that breaks something by a fault at 900 ms, then it is unavoidable from 1,000 ms on, exit 1', async () => {
  vi.spyOn(CHECKERS[0]!, 'safety').mockImplementation((events) =>
    events
      .filter(({ what, data }) => what === 'fault.on' && data.fault === 'duplicate')
      .map(({ t }) => ({ t, problem: 'planted' })),
  )
  expect(await run(['fault', 'why', PLAN, '--futures', '1', '--json'])).toBe(1)
  expectFitsSchema('fault why', lines.join(''))
  expect(JSON.parse(lines.join(''))).toMatchObject({
    ...{ checker: CHECKERS[0]!.name, seen: 900, since: 1_000 },
    moments: expect.arrayContaining([{ at: 750, failed: 0, of: 1 }]),
  })
})

test('given a plan that breaks nothing, then exit 0 says so', async () => {
  expect(await run(['fault', 'why', '{"duration":500,"world":{"blockTime":1}}'])).toBe(0)
  expect(lines).toEqual(['The plan breaks nothing.'])
})
