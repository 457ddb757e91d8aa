import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { CaseResult } from '#reports/model'
import { CaseFailure, cannotJudge, notApplicable } from './case-failure.ts'
import type { ConformanceCase, Scene } from './conformance-case.ts'
import { exitCode } from './exit-code.ts'
import { expectEqual } from './matchers/expect-equal.ts'
import { expectError } from './matchers/expect-error.ts'
import { TargetUnreachable } from './reach-targets.ts'
import { askBatch } from './reads/ask-batch.ts'
import { runConformance } from './run-conformance.ts'
import { probeContracts } from './scenes/probe-contracts.ts'
import { type ScriptedTarget, startScriptedTarget, TIP } from './testing-target.ts'
import { NoSuchCase } from './wanted-cases.ts'

const targets: ScriptedTarget[] = []
afterEach(async () => {
  for (const target of targets.splice(0)) await target.stop()
})

async function serve(answer: Parameters<typeof startScriptedTarget>[0]) {
  const target = await startScriptedTarget(answer)
  targets.push(target)
  return target
}

const honest = ({ id, method }: { id: unknown; method: string }) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'eth_getBlockByNumber' ? TIP : [],
})

function aCase(run: ConformanceCase['run'], more: Partial<ConformanceCase> = {}): ConformanceCase {
  return {
    id: 'rpc.test.case.01',
    title: 'A case made for a test',
    area: 'envelope',
    rules: ['RPC-ENV-01'],
    needs: ['rpc'],
    rationale: 'It shows how the runner judges.',
    run,
    ...more,
  }
}

async function judge(test: ConformanceCase, options: { strict?: boolean } = {}) {
  const { url } = await serve(honest)
  const result = await runConformance({
    targets: { rpc: url },
    cases: [test],
    clock: systemClock,
    ...options,
  })
  return { result, judged: result.cases[0] as CaseResult }
}

const failing = () => {
  throw new CaseFailure({ at: 'result.number', expected: '0x1', actual: 1n, hint: 'Hex, please.' })
}

describe('given one case and a scripted target, the runner', () => {
  it('when it returns, then it passes, with its exchanges and a repro command', async () => {
    const { result, judged } = await judge(
      aCase(async ({ rpc }) => void (await rpc.result('eth_getLogs', [{}]))),
    )
    expect(judged.verdict).toBe('pass')
    expect(JSON.parse(judged.exchanges[0]?.request ?? '')).toMatchObject({ method: 'eth_getLogs' })
    expect(judged.exchanges[0]).toMatchObject({ transport: 'http', status: 200 })
    expect(judged.repro).toMatch(/^npx rollbed conform --rpc http:\S+ --only rpc\.test\.case\.01$/)
    expect(exitCode(result)).toBe(0)
  })

  it('when the answer that shows it is that of a case before, then its time is told as that of its own', async () => {
    const { judged } = await judge(
      aCase(async ({ rpc, seen }) => {
        await rpc.result('eth_getLogs', [{}])
        const [{ exchange } = {}] = seen.to('eth_getLogs')
        throw new CaseFailure({
          at: 'result',
          expected: 1,
          actual: 2,
          ...(exchange && { exchange }),
        })
      }),
    )
    const [own, shown] = judged.exchanges
    expect(shown).toEqual(own)
    expect(own?.at).toBeLessThan(1_000_000)
  })

  it('when a must is not met, then it fails with what was expected, what came and where, as JSON', async () => {
    const { result, judged } = await judge(aCase(async () => failing()))
    expect(judged).toMatchObject({
      verdict: 'fail',
      failure: { at: 'result.number', expected: '0x1', actual: '0x1', hint: 'Hex, please.' },
    })
    expect(judged.reason).toContain('RPC-ENV-01')
    expect(exitCode(result)).toBe(1)
  })

  it('when a should is not met, then it is non-strict, and a failure when strict', async () => {
    const should = aCase(async () => failing(), { level: 'should' })
    const lenient = await judge(should)
    expect([lenient.judged.verdict, exitCode(lenient.result)]).toEqual(['non-strict', 0])
    const strict = await judge(should, { strict: true })
    expect([strict.judged.verdict, exitCode(strict.result)]).toEqual(['fail', 1])
  })

  it('when one is not applicable, unjudged or broken, then these are told apart', async () => {
    const aside = await judge(aCase(async () => notApplicable('No such thing here.')))
    expect(aside.judged).toMatchObject({ verdict: 'not-applicable', reason: 'No such thing here.' })
    expect(exitCode(aside.result)).toBe(0)
    const unknown = await judge(aCase(async () => cannotJudge('Too early.')))
    expect([unknown.judged.verdict, exitCode(unknown.result)]).toEqual(['unknown', 1])
    const broken = await judge(aCase(async () => Promise.reject(new TypeError('oops'))))
    expect(broken.judged).toMatchObject({ verdict: 'unknown', reason: 'oops' })
  })

  it('when a case must send and there is no driver, then it is set aside', async () => {
    const sends = aCase(async ({ driver }) => void (await driver.send({ account: 0 })), {
      needs: ['rpc', 'driver'],
    })
    const { result, judged } = await judge(sends)
    expect(judged.verdict).toBe('not-applicable')
    expect(judged.reason).toBe('It needs transactions of its own.')
    expect(result.driver).toBe(null)
    const rule = result.rules.find(({ id }) => id === 'RPC-ENV-01')
    expect(rule).toMatchObject({ isJudged: false })
  })

  it('when a case only calls, then it is judged without a driver, by code put in place for the call', async () => {
    const { url, seen } = await serve(({ id, method, params }) => {
      const overrides = (params[2] ?? {}) as Record<string, { code?: string }>
      const { to = '', data } = (params[0] ?? {}) as { to?: string; data?: string }
      const result = method === 'eth_call' ? (overrides[to]?.code ? data : '0x') : TIP
      return { jsonrpc: '2.0', id, result }
    })
    const calls = aCase(
      async (t) => {
        const { echo } = await t.scene(probeContracts)
        const said = await t.rpc.result('eth_call', [{ to: echo, data: '0x07' }, 'latest'])
        if (said !== '0x07') failing()
      },
      { needs: ['rpc', 'driver'] },
    )
    const options = { targets: { rpc: url }, cases: [calls], clock: systemClock }
    expect((await runConformance(options)).cases[0]?.verdict).toBe('pass')
    expect(seen.filter((body) => body.includes('eth_sendRawTransaction'))).toEqual([])
  })

  it('when its URL was not given, then it is left out', async () => {
    const { result } = await judge(aCase(async () => failing(), { needs: ['rpc', 'prover'] }))
    expect(result.cases).toEqual([])
  })

  it('when the catalogue asked for is older, then newer cases are left out, and the version of each is noted', async () => {
    const { url } = await serve(honest)
    const old = aCase(async () => {}, { id: 'rpc.envelope.quantities.01' })
    const fresh = aCase(async () => {}, { id: 'rpc.test.fresh.01' })
    const options = { targets: { rpc: url }, cases: [old, fresh], clock: systemClock }
    const all = await runConformance(options)
    expect(all.cases.map(({ since }) => since)).toEqual([1, all.catalogue])
    const first = await runConformance({ ...options, rulesVersion: 1 })
    expect(first.cases.map(({ id }) => id)).toEqual([old.id])
    expect(first.catalogue).toBe(1)
  })

  it('when it is of another profile, then it is left out', async () => {
    const { result } = await judge(aCase(async () => failing(), { profiles: ['base'] }))
    expect(result.cases).toEqual([])
  })

  it('when rules are reported, then every one of the profile is there, with the verdict of those that were checked', async () => {
    const { result } = await judge(aCase(async () => failing()))
    const ofChain = loadCatalogue().rules.filter(({ id }) => !id.startsWith('TODAY-'))
    expect(result.rules).toHaveLength(ofChain.length)
    expect(result.rules[0]).toMatchObject({ id: 'RPC-ENV-01', status: 'covered', verdict: 'fail' })
    expect(result.gaps.length).toBeGreaterThan(90)
  })
})

describe('the runner', () => {
  it('given a case that hangs, then it gives up by its clock, and cancels what was under way', async () => {
    const { url } = await serve((call) => (call.method === 'hang' ? undefined : honest(call)))
    const clock = new VirtualClock()
    let asked = () => {}
    const hanging = new Promise<void>((resolve) => {
      asked = resolve
    })
    let aborted = false
    const test = aCase(
      async ({ rpc, signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        const reply = rpc.call('hang')
        asked()
        await reply
      },
      { timeout: 60_000 },
    )
    const run = runConformance({ targets: { rpc: url }, cases: [test], clock })
    await hanging
    await clock.advance(59_999)
    expect(aborted).toBe(false)
    await clock.advance(1)
    const { cases } = await run
    expect(cases[0]).toMatchObject({
      verdict: 'unknown',
      reason: 'No verdict within 60 s. No answer yet to: hang.',
    })
    expect(aborted).toBe(true)
  })

  it('given a run that is given up, then the cases under way are, too', async () => {
    const { url } = await serve(honest)
    const end = new AbortController()
    const test = aCase(async ({ clock, signal }) => {
      end.abort(new Error('Somebody left.'))
      await sleep(clock, 1, signal)
    })
    const options = { targets: { rpc: url }, cases: [test], clock: new VirtualClock() }
    await expect(runConformance({ ...options, signal: end.signal })).rejects.toThrow(
      'Somebody left.',
    )
  })

  it('given a request that fails, then it is asked once, never again', async () => {
    const { url, seen } = await serve(({ id, method }) =>
      method === 'eth_getLogs'
        ? { jsonrpc: '2.0', id, error: { code: -32603, message: 'flaky' } }
        : honest({ id, method }),
    )
    const test = aCase(async ({ rpc }) => void (await rpc.result('eth_getLogs', [{}])))
    const { cases } = await runConformance({
      targets: { rpc: url },
      cases: [test],
      clock: systemClock,
    })
    expect(cases[0]?.verdict).toBe('fail')
    expect(seen.filter((body) => body.includes('eth_getLogs'))).toHaveLength(1)
  })

  it.each(['execution aborted (timeout = 5s)', 'connect timed out'])(
    'given a target that gives a call up at its own time limit (%s), then there is no verdict, and no exit code 0',
    async (message) => {
      const { url, seen } = await serve(({ id, method }) => {
        const gaveUp = { jsonrpc: '2.0', id, error: { code: -32016, message } }
        return method === 'eth_call' ? gaveUp : honest({ id, method })
      })
      const asking = aCase(async ({ rpc }) => void (await rpc.result('eth_call', [{}, 'latest'])))
      const refused = aCase(
        async ({ rpc }) => {
          expectError(await rpc.call('eth_call', [{}, 'latest']), 'reply', -32000)
        },
        { id: 'rpc.test.refused.01' },
      )
      const batched = aCase(
        async ({ rpc }) => {
          const [answer] = await askBatch(rpc, [{ jsonrpc: '2.0', id: 1, method: 'eth_call' }])
          expectEqual(answer.result, '0x', 'result of id 1')
        },
        { id: 'rpc.test.batched.01' },
      )
      const run = await runConformance({
        targets: { rpc: url },
        cases: [asking, refused, batched],
        clock: systemClock,
      })
      expect(run.cases.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unknown'])
      expect(run.cases[0]?.reason).toContain(message)
      expect(exitCode(run)).toBe(1)
      expect(seen.filter((body) => body.includes('eth_call'))).toHaveLength(3)
    },
  )

  it('given a scene, then it is built once, and its exchanges are shown in every case that looks at it', async () => {
    const { url, seen } = await serve(honest)
    const scene: Scene<unknown> = {
      name: 'tip',
      kind: 'observation',
      build: ({ rpc }) => rpc.result('eth_getLogs', [{}]),
    }
    const looking = (id: string) => aCase(async (t) => void (await t.scene(scene)), { id })
    const { cases } = await runConformance({
      targets: { rpc: url },
      cases: [looking('rpc.test.one.01'), looking('rpc.test.two.01')],
      clock: systemClock,
    })
    expect(seen.filter((body) => body.includes('eth_getLogs'))).toHaveLength(1)
    expect(cases.map((each) => each.exchanges.length)).toEqual([1, 1])
  })

  it.each(['eth_getBlockByNumber', 'web3_clientVersion'])(
    'given a target that never answers the first %s, then the cases are judged all the same',
    async (asks) => {
      const asked = Promise.withResolvers<void>()
      let count = 0
      const { url } = await serve((call) => {
        if (call.method !== asks || ++count > 1) return honest(call)
        asked.resolve()
        return undefined
      })
      const clock = new VirtualClock()
      const run = runConformance({ targets: { rpc: url }, cases: [aCase(async () => {})], clock })
      await asked.promise
      await clock.advance(20_000)
      expect((await run).cases[0]).toMatchObject({ verdict: 'pass' })
    },
  )

  it('given more answers than are kept, then who judges all of them says so', async () => {
    const judgesAll = aCase(
      async ({ seen, targets }) => {
        const exchange = {
          ...{ transport: 'http' as const, url: targets.rpc!, at: 0, duration: 0 },
          ...{ request: '{"id":1,"method":"eth_any"}', response: '{"id":1,"result":0}' },
        }
        while (!seen.isCut) seen.take(exchange)
      },
      { judgesAll: true },
    )
    const { judged } = await judge(judgesAll)
    expect(judged.verdict).toBe('pass')
    expect(judged.note).toContain('only the first 200000 answers')
  })

  it('given a scene that opened a WebSocket, then it is closed as soon as the scene is there', async () => {
    const { url } = await serve(honest)
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
    const scene: Scene<void> = {
      name: 'a line',
      kind: 'observation',
      build: async (t) => void (await t.subscribeTo()),
    }
    const test = aCase(async (t) => {
      await t.scene(scene)
      await closed
    })
    const { port } = server.address() as AddressInfo
    const run = await runConformance({
      targets: { rpc: url, ws: `ws://127.0.0.1:${port}` },
      cases: [test],
      clock: systemClock,
      timeout: 5_000,
    })
    expect(run.cases[0]).toMatchObject({ verdict: 'pass' })
    server.close()
  })

  it('given cases of a caller, then they go on beside those of a target, and what takes long comes first', async () => {
    const { url } = await serve(honest)
    const targetJudged = Promise.withResolvers<void>()
    const begun: string[] = []
    const calling = (id: string, more: Partial<ConformanceCase> = {}) =>
      aCase(
        async () => {
          begun.push(id)
          // Neither waits for the other: a node is not watched until a caller's last case is done.
          await targetJudged.promise
        },
        { id, needs: ['proposer'], area: 'proposer', timeout: 5_000, ...more },
      )
    const last = aCase(async () => targetJudged.resolve(), {
      id: 'rpc.test.last.01',
      judgesAll: true,
    })
    const { cases } = await runConformance({
      targets: { rpc: url, proposer: 'true' },
      cases: [
        calling('caller.test.one.01'),
        calling('caller.test.two.01'),
        calling('caller.test.long.01', { takesLong: true }),
        last,
      ],
      clock: systemClock,
    })
    expect(cases.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass'])
    expect(begun[0]).toBe('caller.test.long.01')
  })

  it('given a URL with a user and a password, then the target is judged, and they are not in the report', async () => {
    const { url } = await serve(honest)
    const withUser = url.replace('http://', 'http://sample-user:sample-secret@')
    const cases = [aCase(async ({ rpc }) => void (await rpc.result('eth_getLogs', [{}])))]
    const run = await runConformance({ targets: { rpc: withUser }, cases, clock: systemClock })
    expect(run.cases.map(({ verdict }) => verdict)).toEqual(['pass'])
    expect(JSON.stringify(run)).not.toContain('sample-secret')
  })

  it.each([0, 1.5])('given %d cases at once, then it refuses to begin', async (concurrency) => {
    const { url } = await serve(honest)
    const judging = runConformance({ targets: { rpc: url }, concurrency })
    await expect(judging).rejects.toThrow('concurrency must be a whole number above 0')
  })

  it('given nothing that answers, or nothing selected, then it refuses to begin', async () => {
    const { url, stop } = await serve(honest)
    const clock = systemClock
    await expect(runConformance({ targets: { rpc: url }, only: 'no.such', clock })).rejects.toThrow(
      NoSuchCase,
    )
    await stop()
    await expect(runConformance({ targets: { rpc: url }, clock })).rejects.toThrow(
      TargetUnreachable,
    )
  })

  it('given bare servers, then they fail: an empty object is no answer to any case', async () => {
    const { url } = await serve(({ id }) => ({ jsonrpc: '2.0', id, result: {} }))
    const { cases } = await runConformance({
      targets: { rpc: url },
      only: 'envelope,selectors,block,storage',
      clock: systemClock,
    })
    const passed = cases.filter((each) => each.verdict === 'pass').map((each) => each.id)
    // What such a server does do right: answer POSTs, and all of a batch, with the id and version it was sent.
    const right =
      /^rpc\.envelope\.(seen|post-to-base-url|batch\.0[167]|id-(number|negative|fraction|echo|string)|version-echo|method-)/
    expect(passed.filter((id) => !right.test(id))).toEqual([])
    expect(cases.length - passed.length).toBeGreaterThan(50)
  })
})
