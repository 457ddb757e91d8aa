import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { badRoot } from '#devnet/scenarios/bad-root'
import { proposeHonestly } from '#devnet/scenarios/honest-game'
import { createScenarioContext } from '#devnet/scenarios/scenario-context'
import type { Devnet } from '#devnet/start-devnet'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { runExample } from './run-example.ts'

let folder: string
let devnet: Devnet
let config: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  devnet = await devnetWithBlocks(10)
  config = join(folder, 'devnet.json')
  writeDevnetFile(config, devnet.description)
})
afterAll(async () => {
  await devnet.stop()
  await rm(folder, { recursive: true })
})

const challenge = () => runExample('own-challenger.ts', config)
const contextOf = () =>
  createScenarioContext({
    ...devnet.description,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })

test('given no game but an honest one, when the challenger of own-actors.md looks, then it leaves it alone', async () => {
  await proposeHonestly(contextOf())
  expect(await challenge()).toEqual({ status: 'nothing to nullify' })
})

test('given a game with a wrong root, when it looks, then it nullifies it, and once only', async () => {
  const { game, badIndex, correctRoot } = await badRoot('last').play(contextOf())
  const { address } = game as { address: Hex }
  expect(await challenge()).toMatchObject({
    status: 'success',
    index: badIndex,
    root: correctRoot,
    game: expect.stringMatching(new RegExp(address, 'i')),
  })
  const l1 = createPublicClient({ transport: http(devnet.description.l1RpcUrl), cacheTime: 0 })
  const bad = { address, abi: aggregateVerifierAbi } as const
  const verifier = {
    address: devnet.description.contracts.teeVerifier,
    abi: teeVerifierAbi,
  } as const
  expect(await l1.readContract({ ...bad, functionName: 'status' })).toBe(0)
  expect(await l1.readContract({ ...bad, functionName: 'proofCount' })).toBe(0)
  expect(await l1.readContract({ ...verifier, functionName: 'nullified' })).toBe(true)
  expect(await challenge()).toEqual({ status: 'nothing to nullify' })
})
