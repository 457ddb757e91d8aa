import { expect, test } from 'vitest'
import { holdEvidence } from '../evidence/evidence.ts'
import { comparePrograms, createContestants } from './compare-programs.ts'

/** How many, and the first seed, of a longer run: 1000000 takes hours. */
const programs = Number(process.env.ROLLBED_FUZZ_PROGRAMS ?? 2_000)
const firstSeed = Number(process.env.ROLLBED_FUZZ_SEED ?? 1)
const isLong = process.env.ROLLBED_FUZZ_PROGRAMS !== undefined
/** A long run says after so many seeds how far it is. */
const SEEDS_PER_LINE = 1_000

test('given random programs, then our engine and @ethereumjs/evm agree on all that follows', {
  timeout: 20_000 + programs * 20,
}, async () => {
  const contestants = await createContestants()
  let [done, succeeded, logs, creations] = [0, 0, 0, 0]
  for (let seed = firstSeed; done < programs; seed++) {
    const report = await comparePrograms(contestants, seed)
    expect(report.differences).toEqual([])
    done += report.programs
    succeeded += report.succeeded
    logs += report.logs
    creations += report.creations
    if (isLong && seed % SEEDS_PER_LINE === 0) process.stderr.write(`${done} programs are equal\n`)
  }
  // Most of them must do something.
  expect(succeeded).toBeGreaterThan(done * 0.6)
  expect(logs).toBeGreaterThan(done * 0.05)
  expect(creations).toBeGreaterThan(done * 0.05)
  // Other seeds, and other sizes, give other counts: only a run that is to be recorded has them.
  if (process.env.ROLLBED_RECORD === undefined) return
  holdEvidence('ethereumjs-programs', {
    body: 'Random programs, also run by @ethereumjs/evm',
    source: 'npm: @ethereumjs/evm',
    against: 'our EVM',
    counts: {
      'equal programs': done,
      'of them with logs': logs,
      'of them with creations': creations,
    },
    leftOut: {},
  })
})
