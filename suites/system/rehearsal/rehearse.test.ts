import { join } from 'node:path'
import { expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { request, startCheatNode } from '../cheats/cheat-node.ts'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'

/** Three chains each: a commit rehearses two of the three, the night all. */
const drawn = drawShare(drawnBy, ['breaking', 'sound', 'proxy'], 1 / 2)

const dapp = (name: string) => [process.execPath, join(import.meta.dirname, `${name}-dapp.mjs`)]

/** Runs `rollbed rehearse` on one of the sample dapps. */
async function rehearse(name: string) {
  const flags = ['--port-base', '0', '--denim-after', '15', '--json']
  const command = ['rehearse', ...flags, '--', ...dapp(name)]
  const { exitCode, stdout, stderr } = await new RollbedProcess(command).outcome
  expect(stdout, stderr).not.toBe('')
  expectFitsSchema('rehearse', stdout)
  return { exitCode, stderr, ...JSON.parse(stdout) }
}

test.runIf(drawn.includes('breaking'))(
  'given a dapp that breaks in seven ways, when it is rehearsed, then each is found that a busy machine does not hide, with what takes its place',
  {
    timeout: 600_000,
  },
  async () => {
    const { exitCode, eras, breaks, holds, stderr } = await rehearse('breaking')
    expect([exitCode, holds]).toEqual([1, false])
    expect(eras, stderr).toMatchObject([
      { era: 'before', exitCode: 0, missed: 0 },
      { era: 'across' },
      { era: 'after', exitCode: 1, missed: 0 },
    ])
    const all = breaks.map(({ kind, what, instead }: Record<string, string>) => [
      kind,
      what!.replace(/\d+ (?=ms|confirmations)/, 'some '),
      instead,
    ])
    // Where each call takes seconds, so do three blocks of 200 ms: a unit test has that one.
    const found = all.filter(([, what]: string[]) => what !== 'some confirmations')
    expect(found).toHaveLength(6)
    expect(found).toEqual(
      expect.arrayContaining([
        ['breaks', 'subscription newFlashblocks', 'newHeads'],
        ['breaks', 'eth_getBlockByNumber at pending', 'latest'],
        ['breaks', 'eth_getBalance at pending', 'latest'],
        [
          'look',
          'eth_getBlockByNumber latest, asked every some ms',
          'newHeads, or all blocks since the last look',
        ],
        [
          'breaks',
          'eth_getBlockReceipts, of one block of a second',
          expect.stringContaining('hash'),
        ],
        ['look', 'logs of ranges of up to 1801 blocks', expect.stringContaining('ten times')],
      ]),
    )
  },
)

test.runIf(drawn.includes('sound'))(
  'given a dapp that means the same on both sides of Denim, when it is rehearsed, then it crosses, and not a word is said of it',
  {
    timeout: 300_000,
  },
  async () => {
    const { exitCode, eras, breaks, errors, stderr } = await rehearse('sound')
    expect(eras, stderr).toMatchObject([
      { era: 'before', exitCode: 0, crossed: false },
      { era: 'across', exitCode: 0, crossed: true },
      { era: 'after', exitCode: 0, crossed: false },
    ])
    expect([exitCode, breaks, errors]).toEqual([0, [], []])
  },
)

test.runIf(drawn.includes('proxy'))(
  'given an app that runs already, when the crossing stands in the place of its chain, as a fork of that one, then Ctrl-C tells what broke',
  {
    timeout: 300_000,
  },
  async () => {
    const appsChain = await startCheatNode()
    const rich = `0x${'71'.repeat(20)}`
    await request(appsChain.url, 'anvil_setBalance', [rich, '0x2a'])
    await request(appsChain.url, 'evm_mine', [])
    const fork = ['--fork-url', appsChain.url, '--fork-cache', 'none']
    const flags = ['--proxy', '--port-base', '0', '--denim-after', '240', '--json', ...fork]
    const command = new RollbedProcess(['rehearse', ...flags])
    const [, url = ''] = await command.heard(/Listens at (\S+) /)
    const rpc = httpRpcClient(url)
    expect(await rpc.request('eth_getBalance', [rich, 'latest'])).toBe('0x2a')
    await rpc.request('eth_getBlockByNumber', ['pending', false])
    // A time that nobody waits for: 117 blocks at once, and Denim in the next few.
    await rpc.request('rollbed_increaseTime', [234])
    const isFast = async () => {
      const { timestampMs } = (await rpc.request('eth_getBlockByNumber', ['latest', false])) as {
        timestampMs?: string
      }
      return timestampMs !== undefined
    }
    while (!(await isFast())) await rpc.request('web3_clientVersion', [])
    await rpc.request('eth_sendRawTransactionSync', ['0x00']).catch(() => {})
    const { exitCode, stdout, stderr } = await command.stop('SIGINT')
    const { eras, breaks, errors } = JSON.parse(stdout)
    expect(eras, stderr).toMatchObject([
      { era: 'before', crossed: false },
      { era: 'across', crossed: true },
    ])
    expect(breaks).toMatchObject([{ what: 'eth_getBlockByNumber at pending', instead: 'latest' }])
    expect(errors).toMatchObject([{ method: 'eth_sendRawTransactionSync', code: -32601 }])
    expect(exitCode).toBe(1)
    await appsChain.stop()
  },
)
