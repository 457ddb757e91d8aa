import { describe, expect, test } from 'vitest'
import { drawCount, drawnBy } from '#suites/weather/drawn-by'
import { holdEvidence } from '../evidence/evidence.ts'
import { executorDigest } from '../evidence/executor-digest.ts'
import { comparePrograms, createContestants, type StateKind } from './compare-programs.ts'
import type { ProgramEra } from './random-program.ts'

/** How many, and the first seed, of a longer run: 1000000 takes hours. A third for a commit, all every night. */
const programs = Number(process.env.ROLLBED_FUZZ_PROGRAMS ?? drawCount(drawnBy, 2_000, 1 / 3))
const firstSeed = Number(process.env.ROLLBED_FUZZ_SEED ?? 1)
const isLong = process.env.ROLLBED_FUZZ_PROGRAMS !== undefined
/** A long run says after so many seeds how far it is. */
const SEEDS_PER_LINE = 1_000

/** How many of the programs of a strange state succeed: most calls of a predeploy are refused by it. */
const LEAST_SUCCESS: Record<StateKind, number> = { usual: 0.6, strange: 0.3 }

async function run(kind: StateKind, era: ProgramEra = 'prague') {
  const contestants = await createContestants(era)
  let [done, succeeded, logs, creations] = [0, 0, 0, 0]
  for (let seed = firstSeed; done < programs; seed++) {
    const report = await comparePrograms(contestants, seed, kind)
    expect(report.differences).toEqual([])
    done += report.programs
    succeeded += report.succeeded
    logs += report.logs
    creations += report.creations
    if (isLong && seed % SEEDS_PER_LINE === 0) process.stderr.write(`${done} programs are equal\n`)
  }
  // Most of them must do something.
  expect(succeeded).toBeGreaterThan(done * LEAST_SUCCESS[kind])
  expect(logs).toBeGreaterThan(done * 0.05)
  expect(creations).toBeGreaterThan(done * 0.05)
  return {
    source: 'npm: @ethereumjs/evm',
    against: 'our EVM',
    executor: executorDigest(),
    counts: {
      'equal programs': done,
      'of them with logs': logs,
      'of them with creations': creations,
    },
    leftOut: {},
  }
}

// Other seeds, and other sizes, give other counts: only a run that is to be recorded has them.
const isRecorded = process.env.ROLLBED_RECORD !== undefined

describe('our engine and @ethereumjs/evm agree on all that follows', {
  timeout: 240_000 + programs * 20,
}, () => {
  test('given random programs', async () => {
    const found = await run('usual')
    if (!isRecorded) return
    holdEvidence('ethereumjs-programs', {
      body: 'Random programs, also run by @ethereumjs/evm',
      ...found,
    })
  })

  test('given random programs with the opcodes and precompiles of Osaka', async () => {
    const found = await run('usual', 'osaka')
    if (!isRecorded) return
    holdEvidence('ethereumjs-programs-osaka', {
      body: 'Random programs with the rules of Osaka, also run by @ethereumjs/evm',
      ...found,
    })
  })

  test('given random programs where precompiles, predeploys and system contracts have code, storage, nonces and balances', async () => {
    const found = await run('strange')
    if (!isRecorded) return
    holdEvidence('ethereumjs-strange-states', {
      body: 'Random programs on states with code, storage, nonces and balances at precompiles, predeploys and system contracts, also run by @ethereumjs/evm',
      ...found,
    })
  })
})
