import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RunResult, writeReports } from '#reports/index'
import { sampleCase, sampleRun } from '#reports/sample-run'
import { addReportCommand } from './report.ts'

let folder: string
const file = (name: string) => join(folder, name)
const print = vi.spyOn(console, 'log').mockImplementation(() => {})
const complain = vi.spyOn(console, 'error').mockImplementation(() => {})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-report-'))
})
afterEach(() => {
  print.mockClear()
  complain.mockClear()
})
afterAll(() => rm(folder, { recursive: true }))

const clean = (change: Partial<RunResult> = {}) => ({
  ...sampleRun(),
  cases: [sampleCase()],
  staleExpectations: [],
  ...change,
})
const failing = sampleCase({ id: 'rpc.sample.case.02', verdict: 'fail', failure: failure() })

function failure() {
  return { at: 'result', expected: 1, actual: 2 }
}

async function saved(name: string, run: RunResult): Promise<string> {
  await writeFile(file(name), JSON.stringify(run))
  return file(name)
}

async function report(...args: string[]): Promise<{ exitCode: number; output: string }> {
  let exitCode = 0
  const program = new Command().exitOverride()
  addReportCommand(program, (code) => {
    exitCode = code
  })
  await program.parseAsync(['report', ...args], { from: 'user' })
  return { exitCode, output: print.mock.calls.flat().join('\n') }
}

describe('rollbed report diff', () => {
  test('given a case that fails now and did not, then the exit code is 1, and 0 the other way round', async () => {
    const before = await saved('before.json', clean())
    const after = await saved('after.json', clean({ cases: [sampleCase(), failing] }))
    expect(await report('diff', before, after)).toMatchObject({ exitCode: 1 })
    expect(await report('diff', after, before)).toMatchObject({ exitCode: 0 })
  })

  test('given a file that is no run, then it is refused by name', async () => {
    await writeFile(file('other.json'), '{}')
    const refused = report('diff', file('other.json'), file('other.json'))
    await expect(refused).rejects.toMatchObject({ code: 'USAGE' })
    await expect(report('diff', file('missing'), file('missing'))).rejects.toThrow('cannot be read')
  })
})

describe('rollbed report merge', () => {
  test('given folders of shards, then they become one run, in any format, with the exit code of the whole', async () => {
    const shards = [clean(), clean({ cases: [failing] })]
    const dirs = shards.map((_, index) => file(`shard-${index}`))
    for (const [index, shard] of shards.entries())
      await writeReports(shard, { dir: dirs[index]!, formats: ['json'] })

    const merged = await report('merge', ...dirs, '--out', file('all'), '--format', 'json,junit')
    expect(merged.exitCode).toBe(1)
    expect(merged.output).toContain('2 cases')
    const written = JSON.parse(await readFile(file('all/conformance.json'), 'utf8'))
    expect(written.cases).toHaveLength(2)
    expect(await readFile(file('all/conformance.junit.xml'), 'utf8')).toContain('failures="1"')
  })

  test('given the same shard twice, then it is refused', async () => {
    const same = await saved('same.json', clean())
    await expect(report('merge', same, same)).rejects.toThrow('is in two of them')
  })
})

describe('rollbed report site and query', () => {
  const rule = { id: 'RPC-BLK-05', says: 'x', level: 'must', surface: 'http-rpc' } as const
  const broken = () =>
    clean({
      cases: [failing],
      rules: [{ ...rule, status: 'covered', cases: [failing.id] }],
    })

  test('given several runs, then query names what the last of each target breaks', async () => {
    const other = { ...broken(), targets: { rpc: 'http://other.example' } }
    const runs = [await saved('q1.json', broken()), await saved('q2.json', other)]
    const { exitCode, output } = await report('query', ...runs)
    expect(exitCode).toBe(0)
    expect(output).toContain('RPC-BLK-05 (must) of 127.0.0.1:8545')
    expect(output).toContain('RPC-BLK-05 (must) of other.example')
  })

  test('given a run that has no rules, then none is broken', async () => {
    const { exitCode, output } = await report('query', await saved('q0.json', clean({ rules: [] })))
    expect({ exitCode, output }).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^No rule/),
    })
  })

  test.each([
    ['--rule', 'RPC-PND-*', 'fits --rule RPC-PND-*'],
    ['--target', 'nobody', 'fits --target nobody'],
  ])(
    'given a %s that no run has, then query says so and not that all is well',
    async (flag, glob, sentence) => {
      const refused = report('query', await saved('q3.json', broken()), flag, glob)
      await expect(refused).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(sentence),
      })
    },
  )

  test('given a site with a file that is no run, then both name it', async () => {
    const site = file('damaged-site')
    await report('site', site, await saved('s1.json', broken()), '--target', 'ours')
    await writeFile(join(site, 'runs/ours/half.json'), '{"schema"')
    for (const command of ['site', 'query'])
      await expect(report(command, site)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(join('runs/ours/half.json: it is not JSON')),
      })
  })

  test('given no run at all, then site says so and writes nothing', async () => {
    await expect(report('site', file('no-site'))).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('There is no run'),
    })
    await mkdir(file('empty-site'))
    await expect(report('site', file('empty-site'))).rejects.toThrow('There is no run')
    expect(await readdir(file('empty-site'))).toEqual([])
  })
})

describe('rollbed report rejudge', () => {
  test('given a folder of reports, then it is taken too', async () => {
    await writeReports(clean(), { dir: file('reports'), formats: ['json'] })
    expect(await report('rejudge', file('reports'))).toMatchObject({ exitCode: 0 })
  })

  const expectations = `- {case: rpc.sample.case.02, reason: known, expires: 2026-12-31}\n`

  test('given a recorded failure that the expectations file now knows, then it is excused until that expires', async () => {
    await writeFile(file('expect.yaml'), expectations)
    const run = await saved('run.json', clean({ cases: [sampleCase(), failing] }))
    const by = (at: string) =>
      report('rejudge', run, '--expect', file('expect.yaml'), '--at', at, '--json')

    expect(await report('rejudge', run)).toMatchObject({ exitCode: 1 })
    print.mockClear()
    const excused = await by('2026-12-31')
    expect(excused.exitCode).toBe(0)
    expect(JSON.parse(excused.output).cases[1]).toMatchObject({ verdict: 'expected-fail' })
    expect(await by('2027-01-01')).toMatchObject({ exitCode: 1 })
  })

  test('given an entry about a should that is not met, then it is said that only --strict needs it', async () => {
    const unmet = { ...failing, level: 'should', verdict: 'non-strict' } as const
    await writeFile(file('expect.yaml'), expectations)
    const run = await saved('unmet.json', clean({ cases: [unmet] }))
    const flags = ['--expect', file('expect.yaml'), '--at', '2026-12-31']
    await report('rejudge', run, ...flags)
    expect(complain.mock.calls.flat().join('\n')).toMatch(
      /^1 entry of .*expect\.yaml is about a `should`, .* rpc\.sample\.case\.02 excuses nothing here\.$/m,
    )
    complain.mockClear()
    await report('rejudge', run, ...flags, '--strict')
    expect(complain).not.toHaveBeenCalled()
  })

  test('given an excuse of the recorded run that no file knows, then it is taken back', async () => {
    const excused = { ...failing, verdict: 'expected-fail' } as const
    const run = await saved('excused.json', clean({ cases: [excused] }))
    expect(await report('rejudge', run)).toMatchObject({ exitCode: 1 })
  })

  test.each([
    ['that this run left out, then it is not stale', 'rpc.block.*', 0],
    ['that nobody knows, then it is stale', 'rpc.nothing.*', 4],
  ])('given an expectation for a case %s', async (_name, pattern, exitCode) => {
    await writeFile(file('left-out.yaml'), `- {case: ${pattern}, reason: x, expires: 2026-12-31}`)
    const run = await saved('part.json', clean())
    const flags = ['--expect', file('left-out.yaml'), '--at', '2026-12-01']
    expect(await report('rejudge', run, ...flags)).toMatchObject({ exitCode })
  })

  test('given a run of today, then it keeps what today has of base, and of another profile it loses the rest', async () => {
    const [every, ofBase] = ['rpc.envelope.quantities.01', 'rpc.call.selector-optional.01']
    const [beforeToday, ofToday] = ['rpc.pending.pool-apart.01', 'today.time.cadence.01']
    const ids = [every, ofBase, beforeToday, ofToday]
    const cases = ids.map((id) => sampleCase({ id }))
    const run = await saved('today.json', clean({ profile: 'today', cases }))
    const kept = async (...flags: string[]) => {
      print.mockClear()
      const { output } = await report('rejudge', run, ...flags, '--json')
      return (JSON.parse(output) as RunResult).cases.map(({ id }) => id)
    }
    expect(await kept()).toEqual([every, ofBase, ofToday])
    expect(await kept('--profile', 'today')).toEqual([every, ofBase, ofToday])
    expect(await kept('--profile', 'base')).toEqual([every, ofBase, beforeToday])
    expect(await kept('--profile', 'spec')).toEqual([every, beforeToday])
  })

  test('given a history, then each of its lines is judged', async () => {
    const lines = [clean(), clean({ cases: [failing] }), clean()].map((run) => JSON.stringify(run))
    await writeFile(file('history.jsonl'), lines.join('\n'))
    const { exitCode, output } = await report('rejudge', file('history.jsonl'))
    expect(exitCode).toBe(1)
    expect(output.match(/1 case in/g)).toHaveLength(3)
  })
})

describe('rollbed report sign and verify', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = () => file('private.pem')
  const publicFile = () => file('public.pem')
  beforeAll(async () => {
    await writeFile(key(), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await writeFile(publicFile(), publicKey.export({ type: 'spki', format: 'pem' }))
  })
  const sign = async (name: string, run: RunResult) => {
    const path = await saved(`${name}.json`, run)
    const out = file(`${name}.dsse.json`)
    expect(await report('sign', path, '--key', key(), '--out', out)).toMatchObject({ exitCode: 0 })
    return out
  }
  const verify = (path: string, ...more: string[]) =>
    report('verify', path, '--key', publicFile(), ...more)

  test('given a run in which all passed, when it is signed and verified, then it says so and writes a badge', async () => {
    const badge = file('badge.svg')
    const envelope = await sign('passed', clean({ rules: [] }))
    const { exitCode, output } = await verify(envelope, '--badge', badge)
    expect({ exitCode, output }).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/1 pass/),
    })
    expect(await readFile(badge, 'utf8')).toContain('<svg')
  })

  test('given a run in which one failed, when it is verified, then it holds and earns no badge', async () => {
    const envelope = await sign('failed', clean({ cases: [sampleCase(), failing] }))
    expect(await verify(envelope)).toMatchObject({ exitCode: 0 })
    expect(await verify(envelope, '--badge', file('none.svg'))).toMatchObject({ exitCode: 1 })
    await expect(readFile(file('none.svg'))).rejects.toThrow('ENOENT')
  })

  test('given an envelope that was changed, or another key, then verify exits 1', async () => {
    const envelope = await sign('changed', clean())
    const parsed = JSON.parse(await readFile(envelope, 'utf8'))
    const payload = Buffer.from(JSON.stringify(clean({ duration: 1 }))).toString('base64')
    await writeFile(file('other.dsse.json'), JSON.stringify({ ...parsed, payload }))
    expect(await verify(file('other.dsse.json'))).toMatchObject({ exitCode: 1 })
    const stranger = generateKeyPairSync('ed25519').publicKey
    await writeFile(file('stranger.pem'), stranger.export({ type: 'spki', format: 'pem' }))
    expect(await report('verify', envelope, '--key', file('stranger.pem'))).toMatchObject({
      exitCode: 1,
    })
  })

  test('given a file that is none, or is not there, then sign and verify say so with the usage', async () => {
    const path = await saved('unsigned.json', clean())
    const envelope = await sign('with-key', clean())
    await writeFile(file('bad.pem'), 'no key')
    const wrong = (command: string, what: string, key: string) =>
      expect(report(command, what, '--key', key)).rejects.toMatchObject({ code: 'USAGE' })
    await wrong('sign', path, file('bad.pem'))
    await wrong('verify', envelope, file('bad.pem'))
    await wrong('verify', file('not-there.dsse'), publicFile())
    await expect(report('sign', path, '--key', publicFile())).rejects.toThrow(
      'a private one without a passphrase is wanted',
    )
  })
})
