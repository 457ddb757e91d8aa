import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetSettings } from '#devnet/base/options/devnet-settings'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { Supervisor } from '#devnet/base/process/supervisor'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { rollupGenesis } from '../genesis/rollup-genesis.ts'
import { beginEnclaves, type EnclaveBase } from './begin-enclaves.ts'

const workDir = mkdtempSync(join(tmpdir(), 'rb-'))
const logger = pino({ level: 'silent' })
const supervisor = new Supervisor({ clock, logger })
const settings = devnetSettings({ enclaves: 1 })
let base: EnclaveBase

beforeAll(async () => {
  const genesis = await rollupGenesis({
    l1Start: { hash: `0x${'11'.repeat(32)}`, number: 1n, timestamp: 1_700_000_000 },
    contracts: l1ContractAddresses(roleKeys.deployer.address),
    fork: 'jovian',
    blockTime: 2,
  })
  // Nobody is registered here.
  const l1 = { rpcUrl: 'http://127.0.0.1:9', mineAhead: () => Promise.reject(new Error('no L1')) }
  base = { genesis, l1, supervisor, workDir, logger }
})
afterAll(() => rmSync(workDir, { recursive: true }))

test('given enclaves that boot, when the devnet stops at once, then they are waited for and nothing of them is left', async () => {
  const resources = new ResourceStack()
  const { booted } = await beginEnclaves(settings, base, resources)
  let pid: number | undefined
  const watched = booted.then(() => {
    pid = supervisor.pidOf('enclave 16')
  })
  // The rest of a start goes on meanwhile.
  expect(supervisor.pidOf('enclave 16')).toBeUndefined()
  supervisor.stop()
  await resources.stop()
  await watched
  expect(pid).toBeGreaterThan(0)
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  expect(readdirSync(workDir)).toEqual(['image'])
})

test('given a folder whose contracts accept another image, when enclaves begin, then none is launched', async () => {
  const deployedImage = `0x${'22'.repeat(32)}` as const
  const resources = new ResourceStack()
  const otherDir = join(workDir, 'other')
  const other = { ...base, deployedImage, workDir: otherDir }
  const beginning = beginEnclaves(settings, other, resources)
  await expect(beginning).rejects.toMatchObject({ code: 'STATE_OF_OTHER_IMAGE' })
  expect(readdirSync(otherDir)).toEqual(['image'])
  await resources.stop()
})

test('given a machine that cannot run virtual ones, when enclaves of both kinds begin, then it is said before any boots', async () => {
  const path = process.env.PATH
  process.env.PATH = ''
  const resources = new ResourceStack()
  const both = devnetSettings({ enclaves: ['sim', 'sim', 'vm'] })
  const began = beginEnclaves(both, base, resources)
  try {
    await expect(began).rejects.toMatchObject({ code: 'VM_UNAVAILABLE' })
  } finally {
    process.env.PATH = path
    await began.then(({ booted }) => booted).catch(() => undefined)
    await resources.stop()
  }
  expect(supervisor.pidOf('enclave 16')).toBeUndefined()
})
