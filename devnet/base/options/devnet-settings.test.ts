import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addUpCommand } from '#devnet/cli/up'
import { DEVNET_DEFAULTS } from './devnet-options.ts'
import { devnetSettings } from './devnet-settings.ts'

test('given an option that is undefined, when settings are made, then it has the default, as one that is not there', () => {
  const options = { seed: undefined, profile: 'base' } as never

  expect(devnetSettings(options)).toMatchObject({
    ...DEVNET_DEFAULTS,
    enclaves: ['sim'],
    profile: 'base',
  })
})

test('given a block time for L2 alone, when settings are made, then L1 keeps the same pace', () => {
  expect(devnetSettings({ blockTime: 4 }).l1BlockTime).toBe(4)
  expect(devnetSettings({ blockTime: 4, l1BlockTime: 12 }).l1BlockTime).toBe(12)
})

test('given batches in blobs, then they are posted more rarely than in call data, unless told', () => {
  const blobs = { dataAvailability: 'blobs' } as const
  expect(devnetSettings(blobs).batchInterval).toBe(6_000)
  expect(devnetSettings({ ...blobs, batchInterval: 500 }).batchInterval).toBe(500)
  expect(devnetSettings({}).batchInterval).toBe(2_000)
})

test('given a chain that comes to blocks of 200 ms, then it keeps states for as long a time as one of 2 s, unless told, and answers as deployed nodes do', () => {
  expect(devnetSettings({ upgrades: 'crossing' })).toMatchObject({
    historyBlocks: 20_000,
    profile: 'base',
  })
  expect(devnetSettings({ upgrades: 'today', historyBlocks: 300 }).historyBlocks).toBe(300)
  expect(devnetSettings({ upgrades: { azul: 'genesis' } })).toMatchObject({
    historyBlocks: 2_000,
    profile: 'spec',
  })
})

test('given the docstrings of the options, then each names the default that holds', () => {
  const text = readFileSync(new URL('./devnet-options.ts', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/@default ([^\s*]+)\s*(?:\*\/)?\s*(\w+)\?:/g)]

  expect(Object.fromEntries(documented.map(([, value, name]) => [name, value]))).toEqual(
    Object.fromEntries(
      Object.entries(DEVNET_DEFAULTS).map(([name, value]) => [
        name,
        typeof value === 'string' ? `'${value}'` : String(value),
      ]),
    ),
  )
})

test.each([
  ['3', ['sim', 'sim', 'sim']],
  ['vm', ['vm']],
  ['2,vm', ['sim', 'sim', 'vm']],
  ['local', ['local']],
  ['none', []],
])('given `--enclaves %s`, then there is one entry for each', (text, kinds) => {
  const program = new Command()
  addUpCommand(program, () => {})
  const up = program.commands[0]!
  up.parseOptions(['--enclaves', text])
  expect(devnetSettings({ enclaves: up.opts().enclaves }).enclaves).toEqual(kinds)
})

test.each(['2,', 'vm,docker', '8,vm', '-1'])(
  'given `--enclaves %s`, then it is a wrong use',
  (text) => {
    const program = new Command()
    addUpCommand(program, () => {})
    const parse = () => program.commands[0]!.parseOptions(['--enclaves', text])
    expect(parse).toThrow(expect.objectContaining({ code: 'USAGE' }))
  },
)

test('given `rollbed up` without flags, then it starts with the defaults of startDevnet', () => {
  const program = new Command()
  addUpCommand(program, () => {})
  const flags: Record<string, unknown> = program.commands[0]!.opts()

  const shared = Object.keys(DEVNET_DEFAULTS).filter((name) => name in flags)
  expect(shared).toContain('historyBlocks')
  for (const name of shared) expect(flags[name]).toBe(Reflect.get(DEVNET_DEFAULTS, name))
})

test('given a chain to go on from, then there is no prover, and the fork of the rules is the usual one', () => {
  const settings = devnetSettings({ fork: { url: 'http://node', block: 5 } })
  expect(settings).toMatchObject({ enclaves: [], fork: DEVNET_DEFAULTS.fork })
  expect(settings.remoteFork).toEqual({ url: 'http://node', block: 5 })
})

test.each([
  [{ enclaves: 1 }, 'FORK_NOT_PROVABLE'],
  [{ actors: true }, 'FORK_NOT_PROVABLE'],
  [{ state: 'folder' }, 'FORK_CONFLICT'],
  [{ testnet: true }, 'FORK_CONFLICT'],
])('given a chain to go on from and %o, then it is refused as %s', (beside, code) => {
  const options = { fork: { url: 'http://node' }, ...beside }
  expect(() => devnetSettings(options)).toThrow(expect.objectContaining({ code }))
})

test.each([
  ['--fork-block=5'],
  ['--fork-url=ws://node'],
  ['--fork-url=http://node', '--enclaves=1'],
  ['--fork-url=http://node', '--fork-header=nothing'],
])('given `%s %s`, then `rollbed up` starts nothing', async (...flags) => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  addUpCommand(program, () => undefined)
  for (const command of program.commands)
    command.exitOverride().configureOutput({ writeErr: () => undefined })
  const given = flags.filter((flag) => flag !== undefined)
  await expect(program.parseAsync(['up', ...given], { from: 'user' })).rejects.toMatchObject({
    code: expect.stringMatching(/^(USAGE|FORK_NOT_PROVABLE|commander.invalidArgument)$/),
  })
})
