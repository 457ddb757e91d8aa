import { describe, expect, it } from 'vitest'
import type { Need } from './conformance-case.ts'
import type { Driver } from './drivers/driver.ts'
import { reproCommand } from './repro-command.ts'

const targets = { rpc: 'http://127.0.0.1:8545', ws: 'ws://127.0.0.1:8545' }

const driver = { name: './my driver.ts' } as Driver
const caseOf = (id: string, needs: readonly Need[] = ['rpc']) => ({ id, needs })

describe('the repro command', () => {
  it('given a case and URLs, then every URL and the case is named, and nothing that is the default', () => {
    expect(reproCommand(caseOf('rpc.block.hash.01'), { targets, profile: 'spec' })).toBe(
      'npx rollbed conform --rpc http://127.0.0.1:8545 --ws ws://127.0.0.1:8545 --only rpc.block.hash.01',
    )
  })

  it('given driver, profile and strictness, then they are named when they matter', () => {
    expect(reproCommand(caseOf('x'), { targets: {}, profile: 'base', driver, strict: true })).toBe(
      "npx rollbed conform --driver './my driver.ts' --profile base --strict --only x",
    )
  })

  it('given targets, then they are spelled as flags', () => {
    const more = { rpcTestnet: 'http://t', enclave: 'unix:/v:8000', host: 'rollbed host' }
    expect(reproCommand(caseOf('x', ['host']), { targets: more, profile: 'spec' })).toBe(
      "npx rollbed conform --rpc-testnet http://t --enclave unix:/v:8000 --host 'rollbed host' --only x",
    )
  })

  it('given commands of several callers, then only the one that the case judges is named, without URLs and driver', () => {
    const callers = { proposer: 'node p.ts', challenger: 'node c.ts', client: 'node r.ts' }
    const run = { targets: { ...targets, ...callers }, profile: 'spec', driver } as const
    expect(reproCommand(caseOf('challenger.dispute.01', ['challenger']), run)).toBe(
      "npx rollbed conform --challenger 'node c.ts' --only challenger.dispute.01",
    )
  })

  it('given commands that a case does not start, then they are not named', () => {
    const commands = { rpc: 'http://n', host: 'rollbed host', enclaveCommand: 'enclave' }
    const run = { targets: { ...commands, proposer: 'p' }, profile: 'spec' } as const
    expect(reproCommand(caseOf('x'), run)).toBe('npx rollbed conform --rpc http://n --only x')
    expect(reproCommand(caseOf('y', ['host', 'rpc']), run)).toBe(
      "npx rollbed conform --rpc http://n --host 'rollbed host' --only y",
    )
  })

  it('given what a shell would take apart, then it is quoted', () => {
    const hostile = { rpc: "http://h/?a=1&b=$(rm -rf)'" }
    expect(reproCommand(caseOf('x'), { targets: hostile, profile: 'spec' })).toBe(
      `npx rollbed conform --rpc 'http://h/?a=1&b=$(rm -rf)'\\''' --only x`,
    )
  })
})
