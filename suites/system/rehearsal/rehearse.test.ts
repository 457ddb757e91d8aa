import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'

const dapp = (name: string) => [process.execPath, join(import.meta.dirname, `${name}-dapp.mjs`)]

/** Runs `rollbed rehearse` on one of the sample dapps. */
async function rehearse(name: string) {
  const flags = ['--port-base', '0', '--denim-after', '15', '--json']
  const command = ['rehearse', ...flags, '--', ...dapp(name)]
  const { exitCode, stdout, stderr } = await new RollbedProcess(command).outcome
  expect(stdout, stderr).not.toBe('')
  return { exitCode, stderr, ...JSON.parse(stdout) }
}

test('given a dapp that breaks in five ways, when it is rehearsed, then all five are found, each with what takes its place', {
  timeout: 300_000,
}, async () => {
  const { exitCode, eras, breaks, holds, stderr } = await rehearse('breaking')
  expect([exitCode, holds]).toEqual([1, false])
  expect(eras, stderr).toMatchObject([
    { era: 'before', exitCode: 0, missed: 0 },
    { era: 'across' },
    { era: 'after', exitCode: 1, missed: 0 },
  ])
  const found = breaks.map(({ kind, what, instead }: Record<string, string>) => [
    kind,
    what!.replace(/\d+ ms/, 'some ms'),
    instead,
  ])
  expect(found).toHaveLength(5)
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
      ['look', 'logs of ranges of up to 1801 blocks', expect.stringContaining('ten times')],
    ]),
  )
})

test('given a dapp that means the same on both sides of Denim, when it is rehearsed, then it crosses, and not a word is said of it', {
  timeout: 300_000,
}, async () => {
  const { exitCode, eras, breaks, errors, stderr } = await rehearse('sound')
  expect(eras, stderr).toMatchObject([
    { era: 'before', exitCode: 0, crossed: false },
    { era: 'across', exitCode: 0, crossed: true },
    { era: 'after', exitCode: 0, crossed: false },
  ])
  expect([exitCode, breaks, errors]).toEqual([0, [], []])
})
