import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { switchImplementation } from '#devnet/scenarios/new-implementation'
import {
  createScenarioContext,
  owner,
  type ScenarioContext,
} from '#devnet/scenarios/scenario-context'
import type { Devnet } from '#devnet/start-devnet'
import { buildImage } from '#enclave/image/build-image'
import { gameType } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { type EnclaveMember, enclaveMember, type HostMember, hostMember } from './proof-fleet.ts'
import { verifyOnL1 } from './verify-on-l1.ts'

const logger = pino({ level: 'silent' })
const clock = systemClock

let devnet: Devnet
let context: ScenarioContext
let folder: string
const images = { old: '0x' as Hex, next: '0x' as Hex }
let old: EnclaveMember
let next: EnclaveMember
let host: HostMember
const resources = new ResourceStack()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(folder, { recursive: true }))
  devnet = resources.add(await devnetWithBlocks(20, { enclaves: 0 }))
  context = createScenarioContext({ ...devnet.description, clock, logger })
  old = resources.add(await enclaveOf('old', 16))
  // Of the next image, and registered under it, while the old one is in force: the overlap.
  next = resources.add(await enclaveOf('next', 17, 'next'))
  host = resources.add(await hostMember(devnet, { name: 'host', enclaves: [old, next], folder }))
})
afterAll(() => resources.stop())

async function enclaveOf(name: keyof typeof images, cid: number, label?: string) {
  const outDir = join(folder, name)
  const image = await buildImage({ outDir, chains: [devnet.config], ...(label && { label }) })
  images[name] = image.imageHash
  return await enclaveMember(devnet, { cid, imageDir: image.dir, folder })
}

/** The image under which L1 accepts a new proof. */
async function provenBy(): Promise<string> {
  const range = { from: 1, to: 4, interval: 2, proposer: roleKeys.proposer.address }
  const proof = await proveRange({ ...devnet.description, ...range, proverUrl: host.url, clock })
  const accepted: string[] = []
  for (const [name, imageHash] of Object.entries(images)) {
    const verdict = await verifyOnL1(devnet.description, proof, range, imageHash).catch(String)
    if (verdict === true) accepted.push(name)
    // Over the journal of another image, another key is recovered.
    else expect(verdict).toContain('InvalidSigner')
  }
  return accepted.join()
}

const propose = () =>
  createProposer({
    l1: context.rpc,
    rollup: httpRpcClient(devnet.description.rollupRpcUrl),
    prover: httpRpcClient(host.url),
    wallet: context.wallet(roleKeys.proposer),
    factory: context.contracts.disputeGameFactory,
    gameType,
    finality: 'safe',
    logger,
  }).round()

const imageOf = (game: Hex) =>
  createPublicClient({ transport: http(devnet.description.l1RpcUrl) }).readContract({
    address: game,
    abi: aggregateVerifierAbi,
    functionName: 'TEE_IMAGE_HASH',
  })

test('given two images behind one host, when the game switches from one to the other, then proofs follow with no restart, and games of both stand (ROT-01, ROT-02, ROT-03, ROT-04)', async () => {
  expect(images.old).not.toBe(images.next)
  expect(await provenBy()).toBe('old')
  const first = await propose()
  expect(first).toMatchObject({ kind: 'created', block: 10n })

  // ROT-02 by its words: for as long as the owner says so, both count.
  const registry = {
    address: context.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
  } as const
  const countNext = (counts: boolean) =>
    context
      .wallet(owner)
      .send({ ...registry, functionName: 'setDevImage', args: [images.next, counts] })
  const valid = () =>
    Promise.all(
      [old.signer, next.signer].map((signer) =>
        context.l1.readContract({ ...registry, functionName: 'isValidSigner', args: [signer] }),
      ),
    )
  expect(await valid()).toEqual([true, false])
  await countNext(true)
  expect(await valid()).toEqual([true, true])
  expect(await provenBy()).toBe('old')

  const inFlight = Promise.all([provenBy(), provenBy(), provenBy()])
  await switchImplementation(context, { teeImageHash: images.next })
  // After the switch the new one is alone.
  await countNext(false)
  expect(await valid()).toEqual([false, true])
  // Asked for before the switch: by either image, but each good.
  for (const by of await inFlight) expect(['old', 'next']).toContain(by)
  expect(await provenBy()).toBe('next')

  const second = await propose()
  expect(second).toMatchObject({ kind: 'created', block: 20n })
  const [one, two] = [first, second].map((outcome) => (outcome as unknown as { game: Hex }).game)
  expect(await imageOf(one!)).toBe(images.old)
  expect(await imageOf(two!)).toBe(images.next)

  // The drain: nobody asks the old enclave any more.
  await context.wallet(owner).send({
    address: context.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
    functionName: 'deregisterSigner',
    args: [old.signer],
  })
  await old.kill()
  expect(await provenBy()).toBe('next')
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200)
  expect(host.pids).toHaveLength(1)
})

test('given the next enclave gone as well, then the host fails closed (SAFE-09)', async () => {
  await next.kill()
  await expect(provenBy()).rejects.toThrow('no valid signer found among: []')
})
