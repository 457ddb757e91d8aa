import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { randomInt, seededRng } from '#protocol/random/rng'
import { rollbed } from '../end-to-end/rollbed-process.ts'
import { startKilledDevnet } from './killed-devnet.ts'
import { playKills } from './play-kills.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-kept-'))
  folders.push(folder)
  return folder
}

test('given --state and load, when it is killed twice, then nothing that users saw sealed is lost', async () => {
  const report = await playKills({
    folder: newFolder(),
    kills: 2,
    rng: seededRng('kept'),
    moment: (devnet, rng) => devnet.after(1 + randomInt(rng, 3), randomInt(rng, 5)),
  })
  expect(report.losses).toEqual([])
  // How many they are depends on the machine.
  expect(report.blocks).toBeGreaterThan(1)
  expect(report.transactions).toBeGreaterThan(0)
  expect(report.codes).toBeGreaterThan(0)
})

test('given a folder in use, when a second devnet wants it, then one sentence says so and it exits with 3', async () => {
  const folder = newFolder()
  const seen = { l2: new Map(), l1: new Map(), transactions: new Map(), codes: new Map() }
  const first = await startKilledDevnet(folder, seen, seededRng('second'))
  const second = await rollbed(['up', '--state', folder, '--port-base', '0', '--block-time', '1'])
  expect(second).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`STATE_IN_USE: Another devnet runs in ${folder}.`),
  })
  await first.stop()
  const other = await rollbed(['up', '--state', folder, '--port-base', '0', '--block-time', '2'])
  expect(other).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('was begun with a block-time of 1, not 2'),
  })
})
