import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { type Devnet, startDevnet } from '#devnet/index'
import { type Mutant, startMutantProxy, ZOO } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import {
  AREAS,
  createTestMnemonicDriver,
  oneMutantPerArea,
  runMutants,
} from '#suites/gate/conformance/index'
import { startFullTargets } from '#suites/gate/mutants/start-full-targets'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { RollbedProcess } from './rollbed-process.ts'

/** Milliseconds that one mutant of each area may take: the night plays all, one after the other. */
const ALL_AREAS = 1_200_000
const CALLERS = ['proposer', 'challenger', 'registrar', 'client']
/**
 * A world for each caller is as much work as all other areas: `npm run mutants` has theirs. Rules of today's chain
 * are judged on one: `suites/gate/today` has theirs.
 */
const ELSEWHERE = [...CALLERS, 'today']
const onePerArea = oneMutantPerArea().filter(({ area }) => !ELSEWHERE.includes(area))

let devnet: Devnet
let out: string

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'rollbed-report-'))
  devnet = await startDevnet()
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(out, { recursive: true, force: true })
})

const inDevnetFolder = (args: string[]) =>
  new RollbedProcess(args, {
    prepare: (folder) => writeDevnetFile(`${folder}/.rollbed/devnet.json`, devnet.description),
  }).outcome

test('given the zoo, then it has a mutant of each area', () => {
  const areas = AREAS.filter((area) => !ELSEWHERE.includes(area))
  expect(new Set(onePerArea.map(({ area }) => area))).toEqual(new Set(areas))
})

describe('`rollbed conform`', () => {
  test(`given the devnet, when the cases that ROLLBED_DRAW=${drawnBy} draws judge it, then it passes and writes HTML and JUnit`, async () => {
    // A whole run is a minute of both cores: a commit plays a third of it, the night all, as whoever types the command.
    const shards = drawShare(drawnBy, [1, 2, 3], 1 / 3)
    const drawn = shards.length === 1 ? ['--shard', `${shards[0]}/3`] : []
    const { exitCode, stdout } = await inDevnetFolder(['conform', '--out', out, ...drawn])
    expect(stdout).not.toMatch(/^(FAIL|UNKNOWN) /m)
    expect(exitCode).toBe(0)
    expect(existsSync(join(out, 'conformance.html'))).toBe(true)
    expect(readFileSync(join(out, 'conformance.junit.xml'), 'utf8')).toContain('<testsuites')
  })

  test('given a node that breaks one rule, then it fails with exit code 1, and names the rule', async () => {
    const mutant = ZOO.find(({ rule }) => rule === 'RPC-PEND-03')!
    const target = devnet.description.rpcUrl
    const proxy = await startMutantProxy({ target, mutant, clock: systemClock })
    const only = ['--driver', 'devnet', '--only', 'pending']
    const broken = await inDevnetFolder(['conform', '--rpc', proxy.url, ...only])
    await proxy.stop()
    expect(broken.exitCode).toBe(1)
    expect(broken.stdout).toContain('RPC-PEND-03')
    expect(broken.stdout).toContain('rollbed conform')
  })

  test('given a node that answers no eth_getLogs, when the run is interrupted, then it exits 130 and says what it waited for', async () => {
    const asked = Promise.withResolvers<void>()
    const [any] = ZOO
    const silent: Mutant = {
      ...any!,
      apply: () => ({
        http(request, forward) {
          if (!request.body.includes('eth_getLogs')) return forward(request)
          asked.resolve()
          return new Promise(() => {})
        },
      }),
    }
    const target = devnet.description.rpcUrl
    const proxy = await startMutantProxy({ target, mutant: silent, clock: systemClock })
    const only = ['--only', 'rpc.getlogs.*']
    const conform = new RollbedProcess(['conform', '--rpc', proxy.url, ...only])
    await asked.promise
    conform.child.kill('SIGINT')
    const { exitCode, stderr } = await conform.outcome
    await proxy.stop()
    expect(stderr).toMatch(/^INTERRUPTED: .*\d s/m)
    expect(exitCode).toBe(130)
  })

  test(`given one mutant of each area that ROLLBED_DRAW=${drawnBy} draws, then a case that quotes its rule kills it`, {
    timeout: ALL_AREAS,
  }, async () => {
    await using full = await startFullTargets(devnet.description, systemClock)
    const { targets } = full
    const { signal } = new AbortController()
    const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
    const zoo = drawShare(drawnBy, onePerArea, 1 / 12)
    const { outcomes } = await runMutants({
      targets,
      driver,
      clock: systemClock,
      zoo,
    })
    expect(outcomes.map(({ id }) => id)).toEqual(zoo.map(({ id }) => id))
    expect(outcomes.filter(({ verdict }) => verdict !== 'killed')).toEqual([])
  })
})
