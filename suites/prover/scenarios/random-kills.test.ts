import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { proveRange } from '#devnet/proving/prover/prove-range'
import type { Devnet } from '#devnet/start-devnet'
import { buildImage } from '#enclave/image/build-image'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import type { RollbedError } from '#protocol/errors/rollbed-error'
import { randomInt, seededRng } from '#protocol/random/rng'
import { isRunning } from '#suites/system/end-to-end/rollbed-process'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import {
  type EnclaveMember,
  enclaveMember,
  type HostMember,
  hostMember,
  type Member,
} from './proof-fleet.ts'
import { verifyOnL1 } from './verify-on-l1.ts'

const seed = process.env.ROLLBED_SEED ?? '20261121'
const BLOCKS = 8
/** Of a long run: ROLLBED_KILLS=50. */
const KILLS = Number(process.env.ROLLBED_KILLS ?? 3)
const CALLERS = 3

let devnet: Devnet
let imageHash: Hex
let enclaves: EnclaveMember[]
let hosts: HostMember[]
const resources = new ResourceStack()

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(folder, { recursive: true }))
  devnet = resources.add(await devnetWithBlocks(BLOCKS, { enclaves: 0 }))
  const image = await buildImage({ outDir: join(folder, 'image'), chains: [devnet.config] })
  imageHash = image.imageHash
  const member = (cid: number) => enclaveMember(devnet, { cid, imageDir: image.dir, folder })
  enclaves = []
  for (const cid of [16, 17, 18]) enclaves.push(resources.add(await member(cid)))
  const orders = { 'host a': enclaves, 'host b': enclaves.toReversed() }
  hosts = await Promise.all(
    Object.entries(orders).map(([name, order]) =>
      hostMember(devnet, { name, enclaves: order, folder }),
    ),
  )
  for (const host of hosts) resources.add(host)
})
afterAll(() => resources.stop())

test(`given two hosts and three enclaves, when any of them is killed at any time, then every answer verifies on L1 (seed ${seed})`, async () => {
  const rng = seededRng(seed)
  const pick = <T>(all: readonly T[]): T => all[randomInt(rng, all.length)]!
  const calls = { asked: 0, verified: 0, failed: 0 }
  let wake = () => {}

  async function ask(host: HostMember): Promise<void> {
    const from = 1 + randomInt(rng, BLOCKS)
    const to = from + randomInt(rng, BLOCKS - from + 1)
    const proposer = pick(userKeys).address
    const range = { from, to, interval: 1 + randomInt(rng, 4), proposer }
    calls.asked += 1
    wake()
    const proof = await proveRange({
      ...devnet.description,
      ...range,
      proverUrl: host.url,
      clock: systemClock,
    }).catch((error: RollbedError) => {
      // A host that is gone, an enclave that went, none left: nothing else may go wrong.
      expect(['RPC_UNREACHABLE', 'RPC_REFUSED']).toContain(error.code)
      calls.failed += 1
    })
    if (!proof) return
    expect(await verifyOnL1(devnet.description, proof, range, imageHash)).toBe(true)
    calls.verified += 1
  }

  /** Resolves once so many further proofs were asked for. */
  async function afterCalls(count: number): Promise<void> {
    const enough = calls.asked + count
    while (calls.asked < enough) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  let calm = false
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!calm) await ask(pick(hosts))
  })
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await afterCalls(1 + randomInt(rng, 4))
      const victim = pick<Member>([...hosts, ...enclaves])
      await victim.kill()
      await afterCalls(randomInt(rng, 4))
      await victim.restart()
    }
  } finally {
    calm = true
    await Promise.all(callers)
  }
  expect(calls.verified).toBeGreaterThan(0)

  const before = { ...calls }
  for (const host of hosts) await ask(host)
  expect(calls).toMatchObject({ verified: before.verified + hosts.length, failed: before.failed })
})

test('when they are stopped, then none of their processes is left', async () => {
  const pids = [...hosts, ...enclaves].flatMap((member) => member.pids)
  expect(pids.filter(isRunning).length).toBeGreaterThanOrEqual(hosts.length + enclaves.length)
  await resources.stop()
  expect(pids.filter(isRunning)).toEqual([])
})
