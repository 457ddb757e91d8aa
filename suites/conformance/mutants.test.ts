import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { type Mutant, ZOO } from '../../mocks/index.ts'
import { mutantsExitCode, oneMutantPerArea, runMutants, summariseMutants } from './mutants.ts'
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
  it('calls one killed when a case of its own rule notices', async () => {
    const report = await run(mutant('id-string', 'RPC-ENV-09', idAsString))
    expect(report.outcomes[0]).toMatchObject({ verdict: 'killed', rule: 'RPC-ENV-09' })
    expect(report.outcomes[0]?.killers).toContain('rpc.envelope.id-echo.01')
    expect(mutantsExitCode(report)).toBe(0)
  })

  it('does not let a case of another rule count', async () => {
    const report = await run(mutant('id-string', 'RPC-ENV-12', idAsString))
    expect(report.outcomes[0]?.verdict).toBe('killed-by-others')
    expect(mutantsExitCode(report)).toBe(1)
    expect(summariseMutants(report)).toContain('killed-by-others envelope.id-string [RPC-ENV-12]')
  })

  it('tells of one that breaks nothing a case looks at', async () => {
    const report = await run(mutant('harmless', 'RPC-ENV-09', () => ({})))
    expect(report.outcomes[0]).toMatchObject({ verdict: 'survived', killers: [] })
    expect(mutantsExitCode(report)).toBe(1)
  })

  it('lets no case kill that fails on the target itself, and names those', async () => {
    const report = await run(mutant('harmless', 'RPC-ENV-02', () => ({})))
    expect(report.unfitCases).toContain('rpc.envelope.method-eth-getlogs.01')
    expect(report.outcomes[0]?.verdict).toBe('survived')
  })

  it('sets aside mutants of a target that was not given', async () => {
    const [prover] = ZOO.filter((each) => each.target === 'prover')
    const report = await run(prover!)
    expect(report.outcomes[0]?.verdict).toBe('not-run')
    expect(mutantsExitCode(report)).toBe(1)
  })
})

describe('a quick round', () => {
  it('has one mutant of each area', () => {
    const areas = oneMutantPerArea().map((each) => each.area)
    expect(areas).toHaveLength(18)
    expect(new Set(areas).size).toBe(18)
  })
})
