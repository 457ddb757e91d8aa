import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { systemClock } from '#protocol/clock/system-clock'
import { summarise } from '#reports/index'
import { exitCode, runConformance, selectCases } from '../conformance/index.ts'

const ONLY = 'caller.proposer.exists.01,caller.challenger.settled.01'

/** The gate on callers whose worlds need an L1, with this program in anvil's place. */
async function judgeWith(binary: string) {
  return runConformance({
    targets: { proposer: 'true', challenger: 'true' },
    cases: selectCases(ONLY),
    clock: systemClock,
    async startCallerWorld() {
      await new AnvilProcess({ port: 0 }, binary).start()
      throw new Error('there is no such anvil')
    },
  })
}

describe('given an anvil that does not start, the gate', () => {
  let folder: string
  let broken: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollbed-gate-fault-'))
    broken = join(folder, 'anvil')
    await writeFile(broken, '#!/bin/sh\necho no GLIBC_2.99 here >&2\nexit 7\n', { mode: 0o755 })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('when it plays a world for callers, then it exits 3, and says what did not start and why', async () => {
    const run = await judgeWith(broken)
    expect(exitCode(run)).toBe(3)
    const said = summarise(run)
    expect(said).toContain(
      'The gate could not start the world of the proposer: anvil did not start',
    )
    expect(said).toContain('no GLIBC_2.99 here')
    expect(run.cases.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown'])
  })

  test('when it is not installed, then the hint is said, too', async () => {
    const run = await judgeWith(join(folder, 'missing'))
    expect(exitCode(run)).toBe(3)
    expect(summarise(run)).toContain('It comes as an optional package')
  })

  test('when a rule failed beside it, then that is the answer: exit 1', async () => {
    const run = await judgeWith(broken)
    const [first, ...others] = run.cases
    expect(exitCode({ ...run, cases: [{ ...first!, verdict: 'fail' }, ...others] })).toBe(1)
  })
})
