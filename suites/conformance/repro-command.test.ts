import { describe, expect, it } from 'vitest'
import type { Driver } from './drivers/driver.ts'
import { reproCommand } from './repro-command.ts'

const targets = { rpc: 'http://127.0.0.1:8545', ws: 'ws://127.0.0.1:8545' }

describe('the repro command', () => {
  it('given a case and URLs, then every URL and the case is named, and nothing that is the default', () => {
    expect(reproCommand('rpc.block.hash.01', { targets, profile: 'spec' })).toBe(
      'npx rollbed conform --rpc http://127.0.0.1:8545 --ws ws://127.0.0.1:8545 --only rpc.block.hash.01',
    )
  })

  it('given driver, profile and strictness, then they are named when they matter', () => {
    const driver = { name: './my driver.ts' } as Driver
    expect(reproCommand('x', { targets: {}, profile: 'base', driver, strict: true })).toBe(
      "npx rollbed conform --driver './my driver.ts' --profile base --strict --only x",
    )
  })

  it('given targets, then they are spelled as flags', () => {
    const more = { rpcTestnet: 'http://t', enclave: 'unix:/v:8000', host: 'rollbed host' }
    expect(reproCommand('x', { targets: more, profile: 'spec' })).toBe(
      "npx rollbed conform --rpc-testnet http://t --enclave unix:/v:8000 --host 'rollbed host' --only x",
    )
  })

  it('given what a shell would take apart, then it is quoted', () => {
    const hostile = { rpc: "http://h/?a=1&b=$(rm -rf)'" }
    expect(reproCommand('x', { targets: hostile, profile: 'spec' })).toBe(
      `npx rollbed conform --rpc 'http://h/?a=1&b=$(rm -rf)'\\''' --only x`,
    )
  })
})
