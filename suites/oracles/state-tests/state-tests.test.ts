import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holdEvidence } from '../evidence/evidence.ts'
import { executorDigest } from '../evidence/executor-digest.ts'
import { EQUAL_WITHOUT_P256 } from './exclusions.ts'
import { makeSamples } from './make-samples.ts'
import { runStateCase } from './run-state-case.ts'
import { describeReport, runStateTests } from './run-state-tests.ts'
import { parseStateTests } from './state-case.ts'

const directory = process.env.ROLLBED_STATE_TESTS
const forks = (process.env.ROLLBED_STATE_TEST_FORKS ?? 'Prague').split(',')

const samples: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'samples.json'), 'utf8'))

describe('our own state tests', () => {
  test('given the samples, when anvil makes them again, then they are the same', async () => {
    expect(await makeSamples()).toEqual(samples)
  })

  test.each(parseStateTests(samples, ['Prague']))(
    'given $name, when our executor runs it, then state and logs are what anvil has',
    async (sample) => {
      const isAtP256 = sample.name.includes('0x100')
      expect(await runStateCase(sample)).toEqual(
        isAtP256 ? { kind: 'excluded', reason: EQUAL_WITHOUT_P256 } : { kind: 'passed' },
      )
    },
  )

  test('given another root, other logs or another reason, then the run differs', async () => {
    const cases = parseStateTests(samples, ['Prague'])
    const valid = cases.find(({ name }) => name.startsWith('transfer with a tip'))!
    const refused = cases.find(({ exception }) => exception)!
    const wrong = [
      { ...valid, stateRoot: refused.stateRoot },
      { ...valid, logsHash: valid.stateRoot },
      { ...valid, exception: refused.exception },
      { ...refused, exception: undefined },
      { ...refused, exception: 'TransactionException.NONCE_IS_MAX' },
    ]
    for (const sample of wrong) expect(await runStateCase(sample)).toHaveProperty('difference')
  })
})

/** By the folder that each keeps them in. */
const BODIES = [
  {
    name: 'legacy-tests',
    folder: 'Cancun/GeneralStateTests',
    title: 'GeneralStateTests of ethereum/legacytests',
    source: 'github.com/ethereum/legacytests',
  },
  {
    name: 'ethereum-tests',
    folder: 'GeneralStateTests',
    title: 'GeneralStateTests of ethereum/tests',
    source: 'github.com/ethereum/tests',
  },
  {
    name: 'state-tests',
    folder: '',
    title: 'State tests of execution-spec-tests',
    source: 'github.com/ethereum/execution-spec-tests',
  },
]

describe("Ethereum's state tests", () => {
  test.skipIf(!directory)(
    'given the files in ROLLBED_STATE_TESTS, when our executor runs them, then none differs',
    { timeout: 3_600_000 },
    async () => {
      const report = await runStateTests(directory!, forks)
      const body = BODIES.find(({ folder }) => directory!.replace(/\/$/, '').endsWith(folder))!
      process.stdout.write(`${describeReport(report)}\n`)
      for (const [fork, { passed, excluded, differences, thrown }] of Object.entries(
        report.forks,
      )) {
        const found = {
          body: `${body.title}, ${fork}`,
          source: body.source,
          against: 'our transaction codec, executor, EVM and state',
          executor: executorDigest(),
          counts: { passed, differ: differences.length, throw: thrown.length },
          leftOut: { ...excluded, 'files that were not there': report.absent.length },
        }
        const name = `${body.name}-${fork.toLowerCase()}`
        if (name === 'state-tests-prague') holdEvidence('state-tests-prague', found)
        if (name === 'state-tests-osaka') holdEvidence('state-tests-osaka', found)
        if (name === 'state-tests-cancun') holdEvidence('state-tests-cancun', found)
        if (name === 'ethereum-tests-cancun') holdEvidence('ethereum-tests-cancun', found)
        if (name === 'legacy-tests-cancun') holdEvidence('legacy-tests-cancun', found)
        expect(thrown).toEqual([])
        expect(differences).toEqual([])
        expect(passed).toBeGreaterThan(0)
      }
    },
  )
})
