import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Mutant, ZOO } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import { mutantsExitCode, summariseMutants } from './mutant-outcome.ts'
import { oneMutantPerArea, runMutants } from './mutants.ts'
import { selectCases } from './select-cases.ts'
import { type ScriptedTarget, startScriptedTarget, TIP } from './testing-target.ts'

let target: ScriptedTarget
beforeEach(async () => {
  target = await startScriptedTarget(({ id, method }) =>
    method === 'eth_getBlockByNumber'
      ? { jsonrpc: '2.0', id, result: TIP }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
  )
})
afterEach(() => target.stop())

const mutant = (name: string, rule: string, apply: Mutant['apply']): Mutant => ({
  id: `envelope.${name}`,
  rule,
  area: 'envelope',
  target: 'rpc',
  says: 'Breaks something',
  apply,
})
const idAsString: Mutant['apply'] = () => ({
  response: (response) => ({ ...response, id: String(response.id) }),
})

const run = (...zoo: Mutant[]) =>
  runMutants({ targets: { rpc: target.url }, clock: systemClock, zoo })

describe('given mutants of a target, the zoo keeper', () => {
  it('when a case of its own rule notices one, then it is called killed', async () => {
    const report = await run(mutant('id-string', 'RPC-ENV-09', idAsString))
    expect(report.outcomes[0]).toMatchObject({ verdict: 'killed', rule: 'RPC-ENV-09' })
    const [killer] = report.outcomes[0]!.killers
    expect(selectCases().find(({ id }) => id === killer)?.rules).toContain('RPC-ENV-09')
    expect(mutantsExitCode(report)).toBe(0)
  })

  it('when only a case of another rule notices one, then that does not count', async () => {
    const report = await run(mutant('id-string', 'RPC-ENV-12', idAsString))
    expect(report.outcomes[0]?.verdict).toBe('killed-by-others')
    expect(mutantsExitCode(report)).toBe(1)
    expect(summariseMutants(report)).toContain('killed-by-others envelope.id-string [RPC-ENV-12]')
  })

  it('when one breaks nothing that a case looks at, then that is told', async () => {
    const report = await run(mutant('harmless', 'RPC-ENV-09', () => ({})))
    expect(report.outcomes[0]).toMatchObject({ verdict: 'survived', killers: [] })
    expect(mutantsExitCode(report)).toBe(1)
  })

  it('when a case fails on the target itself, then it kills none and is named', async () => {
    const report = await run(mutant('harmless', 'RPC-ENV-02', () => ({})))
    expect(report.unfitCases).toContainEqual(
      expect.stringMatching(/^rpc\.envelope\.method-eth-getlogs\.01: RPC-ENV-02, /),
    )
    expect(report.outcomes[0]?.verdict).toBe('survived')
    expect(summariseMutants(report)).toContain(
      'no pass on the target itself: rpc.envelope.method-eth-getlogs.01: RPC-ENV-02',
    )
  })

  it('when a case got no verdict on the mutant, then the survivor is told with the reason', async () => {
    const busy = async () => ({ status: 429, headers: {}, body: '' })
    const report = await run(mutant('busy', 'RPC-ENV-09', () => ({ http: busy })))
    expect(report.outcomes[0]?.verdict).toBe('survived')
    expect(summariseMutants(report)).toMatch(
      /^survived envelope\.busy .*\n(.*\n)* {2}without a verdict: rpc\.envelope\.id-echo\.01: .*429/,
    )
  })

  it('when a target was not given, then its mutants are set aside', async () => {
    const [prover] = ZOO.filter((each) => each.target === 'prover')
    const report = await run(prover!)
    expect(report.outcomes[0]?.verdict).toBe('not-run')
    expect(mutantsExitCode(report)).toBe(1)
  })
})

describe('a quick round', () => {
  it('given the zoo, then it has one mutant of each area', () => {
    const areas = oneMutantPerArea().map((each) => each.area)
    expect(areas.toSorted()).toEqual([...new Set(ZOO.map(({ area }) => area))].toSorted())
  })
})
