import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { startRegistrar } from '#devnet/actors/registrar/start-registrar'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { launchEnclave, type RunningEnclave } from '#devnet/proving/enclaves/launch-enclave'
import { startProverHost } from '#devnet/proving/prover/start-prover-host'
import { startActors } from '#devnet/rollup/start/start-actors'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { buildImage } from '#enclave/image/build-image'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { initBond } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import { enclave as leaked } from '../contracts/tee-journal.ts'
import { createBadGame, rootAt } from './create-bad-game.ts'
import { outcomes } from './outcomes.ts'

const clock = systemClock
const logger = pino({ level: 'silent' })
/** Milliseconds between two looks. */
const interval = 100

let devnet: Devnet
const resources = new ResourceStack()

beforeAll(async () => {
  devnet = resources.add(
    await startDevnet({ manual: true, l1BlockTime: 1, batchInterval: 200, logLevel: 'silent' }),
  )
  for (let block = 0; block < 10; block += 1) await devnet.node.seal()
})
afterAll(() => resources.stop())

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl) })

test('given a devnet, when a proposer runs over its URLs, then a real proof makes a game', async () => {
  const { description } = devnet
  const seen = outcomes()
  const proposer = startProposer({
    ...description,
    factory: description.contracts.disputeGameFactory,
    key: roleKeys.proposer,
    finality: 'safe',
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  const { game } = (await seen.first('created')) as unknown as { game: Hex }
  await proposer.stop()

  const view = { address: game, abi: aggregateVerifierAbi } as const
  expect(await l1().readContract({ ...view, functionName: 'l2SequenceNumber' })).toBe(10n)
  expect(await l1().readContract({ ...view, functionName: 'rootClaim' })).toBe(
    await rootAt(description.rollupRpcUrl, 10),
  )
  expect(await l1().readContract({ ...view, functionName: 'proofCount' })).toBe(1)
  expect(await l1().readContract({ ...view, functionName: 'bondAmount' })).toBe(initBond)
})

test('given a leaked enclave key, when it signs a wrong root, then the challenger has it refuted by a real proof', async () => {
  const { description } = devnet
  const { imageHash } = description.enclaves[0]!
  const owner = {
    rpcUrl: description.l1RpcUrl,
    chainId: description.l1ChainId,
    mine: () => devnet.l1.mine(),
  }
  await registerDevSigners(owner, [{ signer: leaked.address, imageHash }])
  const bad = await createBadGame(devnet)

  const seen = outcomes()
  const challenger = startChallenger({
    ...description,
    l2RpcUrl: description.rpcUrl,
    factory: description.contracts.disputeGameFactory,
    key: roleKeys.challenger,
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  expect(await seen.first('nullified')).toMatchObject({ game: bad, index: 1 })
  await challenger.stop()
  const view = { address: bad, abi: aggregateVerifierAbi } as const
  expect(await l1().readContract({ ...view, functionName: 'proofCount' })).toBe(0)
})

test('given a real enclave, when a registrar is told its simulated root, then it is registered by attestation', async () => {
  const { description } = devnet
  const workDir = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(workDir, { recursive: true, force: true }))
  const rng = seededRng('registrar end to end')
  const root = createSimRoot({ clock, rng })
  const image = await buildImage({ outDir: join(workDir, 'image'), chains: [devnet.config] })
  const enclave: RunningEnclave = resources.add(
    await launchEnclave({ cid: 40, imageDir: image.dir, root, clock, rng, logger, workDir }),
  )
  const registry = description.contracts.teeProverRegistry
  const host = resources.add(
    await startProverHost({
      l1RpcUrl: description.l1RpcUrl,
      l1BeaconUrl: description.l1BeaconUrl,
      l2RpcUrl: description.rpcUrl,
      chainId: description.chainId,
      chains: new Map([[BigInt(description.chainId), devnet.config]]),
      listen: { host: '127.0.0.1', port: 0 },
      endpoints: new Map([[40, enclave.endpoint]]),
      registryAddress: registry,
      ...{ clock, logger },
    }),
  )
  const setup = {
    l1RpcUrl: description.l1RpcUrl,
    proverUrls: [host.url, description.proverUrl],
    registry,
    key: roleKeys.registrar,
    ...{ clock, logger, interval },
  }
  const view = { address: registry, abi: teeProverRegistryAbi, args: [enclave.signer] } as const
  const isValid = () => l1().readContract({ ...view, functionName: 'isValidSigner' })

  const strict = outcomes()
  const unconvinced = startRegistrar({ ...setup, onOutcome: strict.add })
  const { refused } = (await strict.first('reconciled')) as unknown as { refused: object[] }
  await unconvinced.stop()
  expect(refused).toMatchObject([{ signer: enclave.signer }])
  expect(await isValid()).toBe(false)

  const seen = outcomes()
  const registrar = startRegistrar({
    ...setup,
    trustedRoot: root.certificate,
    onOutcome: seen.add,
  })
  expect(await seen.first('reconciled')).toMatchObject({ registered: [enclave.signer] })
  await registrar.stop()
  expect(await isValid()).toBe(true)
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200)
})

test('given all three actors of a devnet, when they run together, then each sees what became of it', async () => {
  const { description } = devnet
  const seen = outcomes()
  const actors = startActors({
    contracts: description.contracts,
    links: {
      'actor-l1': description.l1RpcUrl,
      'actor-host': description.proverUrl,
      'actor-rollup': description.rollupRpcUrl,
      'client-l2': description.rpcUrl,
    },
    // Not needed: the devnet's own enclave is registered.
    trustedRoot: new Uint8Array(),
    ...{ clock, logger, onOutcome: seen.add },
  })
  const { deregistered } = (await seen.first('reconciled')) as unknown as { deregistered: Hex[] }
  // The enclave of the test before: its host is not one of the devnet's.
  expect(deregistered).toHaveLength(1)
  expect(deregistered).not.toContain(description.enclaves[0]!.signer)
  // The honest game and the disputed one are looked at until L1 has finalized what became of them.
  const { games } = (await seen.first('watching')) as unknown as { games: number }
  expect(games).toBeLessThanOrEqual(2)
  const reason = expect.stringContaining('nullified')
  expect(await seen.first('blocked')).toMatchObject({ reason })
  await actors.stop()
})
