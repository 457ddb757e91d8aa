import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetSettings } from '#devnet/base/options/devnet-settings'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { Supervisor } from '#devnet/base/process/supervisor'
import { EventRecorder } from '#devnet/faults/event-recorder'
import { FaultEngine } from '#devnet/faults/fault-engine'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { startLaunchers } from '#devnet/proving/enclaves/start-launchers'
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
  const launchers = startLaunchers(0)
  base = { genesis, l1, supervisor, launchers, workDir, logger }
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

test('given a chain with an upgrade since its first day, when an enclave runs the image of that day, then it measures otherwise, until the fault is cleared', async () => {
  const { l2Time } = base.genesis.config.genesis
  const upgrades = { azul: 'genesis', denim: Number(l2Time) + 6 } as const
  const genesis = { ...base.genesis, config: { ...base.genesis.config, upgrades } }
  const recorder = new EventRecorder({ clock })
  const engine = new FaultEngine({ clock, recorder })
  const images: unknown[] = []
  const { promise: ranThree, resolve } = Promise.withResolvers<void>()
  recorder.on(({ what, data }) => {
    if (what !== 'booted') return
    images.push(data.imageHash)
    if (images.length === 2) void engine.clear()
    if (images.length === 3) resolve()
  })
  const resources = new ResourceStack()
  const own = new Supervisor({ clock, logger })
  // A registrar would make each key known.
  const withActors = devnetSettings({ enclaves: 1, actors: true })
  const world = { ...base, genesis, recorder, engine, supervisor: own }
  const { booted, ownImage } = await beginEnclaves(withActors, world, resources)
  const [enclave] = await booted
  await engine.inject('enclave:16', 'old_image')
  await ranThree
  own.stop()
  await resources.stop()
  expect(images).toEqual([ownImage, expect.not.stringMatching(ownImage), ownImage])
  expect(enclave!.imageHash).toBe(ownImage)
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
