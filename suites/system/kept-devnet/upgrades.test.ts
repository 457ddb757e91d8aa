import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import { startDevnet } from '#devnet/start-devnet'

const GENESIS_TIME = 1_800_000_000
const start = (options: DevnetOptions) =>
  startDevnet({ manual: true, logLevel: 'silent', enclaves: 0, ...options })

test('given a kept devnet that crosses Denim, when it is started again, then its upgrades are those of its beginning, and others are refused by name', async () => {
  const state = mkdtempSync(join(tmpdir(), 'rollbed-upgrades-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  const upgrades = { azul: 'genesis', denim: 'block 2' } as const
  const schedule = { azul: 'genesis', denim: GENESIS_TIME + 4 }

  const first = await start({ state, upgrades, genesisTime: GENESIS_TIME })
  expect(first.description.upgrades).toEqual(schedule)
  for (let block = 1; block <= 3; block++)
    await httpRpcClient(first.description.rpcUrl).request('rollbed_seal', [])
  await first.stop()

  const refused = (denim: string) => ({
    code: 'STATE_BEGUN_OTHERWISE',
    hint: expect.stringContaining(`--upgrades azul=genesis,denim=${denim}`),
  })
  await expect(start({ state })).rejects.toMatchObject(refused(String(schedule.denim)))
  const other = { ...upgrades, denim: 'block 9' } as const
  await expect(start({ state, upgrades: other })).rejects.toMatchObject(
    refused(String(schedule.denim)),
  )

  const same = { azul: 'genesis', denim: schedule.denim } as const
  await expect(
    start({ state, upgrades: same, journalEra: 'whole-schedule' }),
  ).rejects.toMatchObject({
    code: 'STATE_BEGUN_OTHERWISE',
    hint: expect.stringContaining('--journal-era activated-schedule'),
  })

  const again = await start({ state, upgrades: same })
  expect(again.description.upgrades).toEqual(schedule)
  const rpc = httpRpcClient(again.description.rpcUrl)
  await rpc.request('rollbed_seal', [])
  // Blocks 2, 3 and 4 are at .000, .200 and .400 of one second.
  for (const number of ['0x2', '0x3', '0x4']) {
    const block = (await rpc.request('eth_getBlockByNumber', [number, false])) as object
    expect(block).toMatchObject({ timestamp: `0x${schedule.denim.toString(16)}` })
  }
  await again.stop()
})

test('given the chain of the specification, when it is described, then it names no upgrades', async () => {
  const devnet = await start({ genesisTime: GENESIS_TIME })
  expect('upgrades' in devnet.description).toBe(false)
  await devnet.stop()
})
