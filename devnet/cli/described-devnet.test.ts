import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, expect, test, vi } from 'vitest'
import { addActorsCommand } from './actors.ts'
import { describedDevnet } from './described-devnet.ts'
import { addProveCommand } from './prove.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollbed-described-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'mine.json')
const description = {
  rpcUrl: 'http://127.0.0.1:1',
  l1RpcUrl: 'http://127.0.0.1:2',
  proverUrl: 'http://127.0.0.1:3',
  accounts: [{ address: `0x${'aa'.repeat(20)}` }],
  contracts: {},
}
writeFileSync(file, JSON.stringify(description))

test('given a file of --config-out, then it is read, wherever the command runs', () => {
  expect(describedDevnet(file)).toEqual(description)
})

test.each(['{}', 'no JSON'])(
  'given a file that holds %s, then it is refused by the flag',
  (text) => {
    const other = join(folder, 'other.json')
    writeFileSync(other, text)
    expect(() => describedDevnet(other)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  },
)

test('given rollbed prove --config, when no devnet runs in this folder, then the one of the file is asked', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  const program = new Command().exitOverride()
  addProveCommand(program, () => {})
  const args = ['prove', '--from', '1', '--to', '2', '--config', file]
  // Nobody listens there: that it is asked shows in the error.
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toMatchObject({
    code: 'RPC_UNREACHABLE',
    message: expect.stringContaining('http://127.0.0.1:'),
  })
  vi.restoreAllMocks()
})

test('given all URLs and no proposer, when no devnet runs in this folder, then rollbed prove asks for that', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  const program = new Command().exitOverride()
  addProveCommand(program, () => {})
  const urls = ['--rpc', '--l1', '--prover'].flatMap((flag) => [flag, 'http://127.0.0.1:1'])
  const args = ['prove', '--from', '1', '--to', '2', ...urls]
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'Without a devnet in this folder --proposer must be given, too.',
  })
  vi.restoreAllMocks()
})

test.each(['prove --from 1 --to 2', 'actors challenger'])(
  'given a devnet without a prover, when rollbed %s wants one, then that is said before anything is waited for',
  async (line) => {
    const text = JSON.stringify({ ...description, proverUrl: '' })
    mkdirSync(join(folder, '.rollbed'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, '.rollbed/devnet.json'), text, { mode: 0o600 })
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    const program = new Command().exitOverride()
    addProveCommand(program, () => {})
    addActorsCommand(program, () => {})
    await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('no prover'),
    })
    vi.restoreAllMocks()
  },
)
