import { pino } from 'pino'
import {
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  http,
  keccak256,
  numberToHex,
  parseAbiItem,
  parseAbiParameters,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChallenger } from '#devnet/actors/challenger/create-challenger'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import { nameOfSchedule } from '#devnet/actors/journal-audit/known-schedules'
import { readSchedules } from '#devnet/actors/journal-audit/read-l1'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { createScenarioContext, type ScenarioContext } from '#devnet/scenarios/scenario-context'
import { scenarios } from '#devnet/scenarios/scenarios'
import type { Devnet } from '#devnet/start-devnet'
import { gameType } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { devnetWithBlocks } from './devnet-with-blocks.ts'

/** Denim is announced and does not come: the id of July 2026 has it, that of August has it not. */
const AHEAD = 36_000
const clock = systemClock
const logger = pino({ level: 'silent' })

let devnet: Devnet
let context: ScenarioContext
let snapshot: unknown

beforeAll(async () => {
  devnet = await devnetWithBlocks(20, {
    upgrades: { azul: 'genesis', denim: `+${AHEAD}s` },
    journalEra: 'whole-schedule',
  })
  const { contracts } = devnet.description
  context = createScenarioContext({ ...devnet.description, contracts, clock, logger })
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await context.rpc.request('evm_snapshot', [])
})
afterEach(() => context.rpc.request('evm_revert', [snapshot]))

/** Source: optimism, DisputeGameFactory.sol. */
const created = parseAbiItem(
  'event DisputeGameCreated(address indexed disputeProxy, uint32 indexed gameType, bytes32 indexed rootClaim)',
)

interface Played {
  game: { address: Hex; roots: Hex[]; l2Block: bigint }
  badIndex: number
  implementation: Hex
  next: { implementation: Hex }
}
const play = async (name: string) =>
  (await scenarios.find((each) => each.name === name)!.play(context)) as unknown as Played

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl), cacheTime: 0 })
const view = (address: Hex) => ({ address, abi: scheduledVerifierAbi }) as const

/** What ProtocolVersions.sol chains, worked out by viem: all 14 places, Denim's ten hours ahead. */
function wholeByViem(genesis: bigint): Hex {
  return Array.from({ length: 14 }, (_, place) => {
    if ([7, 11, 12].includes(place)) return 0n
    return place === 13 ? genesis + BigInt(AHEAD) : genesis
  }).reduce<Hex>(
    (link, time, place) =>
      keccak256(
        encodeAbiParameters(parseAbiParameters('bytes32, uint256, uint64'), [
          ...([link, BigInt(place), time] as const),
        ]),
      ),
    numberToHex(0, { size: 32 }),
  )
}

test('given journals of July 2026, when the prover host proves a game, then L1 takes it by the id of the schedule with what is only announced', async () => {
  const { game } = await play('honest-game')
  const id = await l1().readContract({ ...view(game.address), functionName: 'scheduleId' })
  expect(id).toBe(wholeByViem(BigInt(devnet.config.genesis.l2Time)))
  const activated = await l1().readContract({
    ...{ address: devnet.description.contracts.protocolVersions!, abi: protocolVersionsAbi },
    functionName: 'activatedScheduleId',
    args: [BigInt(devnet.config.genesis.l2Time) + 20n],
  })
  expect(activated).not.toBe(id)
})

test('when the transaction that made such a game is audited, or its calldata alone, then its journal is said to be of July 2026', async () => {
  await play('honest-game')
  const { disputeGameFactory: to } = devnet.description.contracts
  const [made] = await l1().getLogs({ address: to, event: created, fromBlock: 0n })
  const { input, from } = await l1().getTransaction({ hash: made!.transactionHash })
  const audit = (bytes: Hex, known = {}) =>
    auditInput({ bytes: hexToBytes(bytes) }, { known, signers: [], l1: context.l1, to })
  const says = 'of the whole schedule (Base since July 2026)'
  const pass = { verdict: 'pass', claims: [{ schedule: { says } }] }
  expect(await audit(made!.transactionHash)).toMatchObject(pass)
  expect(await audit(input, { proposer: from })).toMatchObject(pass)
  // What names the id that a ProofResult tells alone.
  const { protocolVersions } = devnet.description.contracts
  const known = await readSchedules(context.l1, protocolVersions!)
  expect(nameOfSchedule(wholeByViem(BigInt(devnet.config.genesis.l2Time)), known)).toBe(says)
})

test('given bad-root-middle, then its new version of the game has both pairs of intervals and the same schedule, and a real proof refutes it', async () => {
  const { game, badIndex, implementation } = await play('bad-root-middle')
  expect([game.roots.length, badIndex]).toEqual([5, 2])
  const from = async (functionName: 'FAST_BLOCK_INTERVAL' | 'FAST_INTERMEDIATE_BLOCK_INTERVAL') =>
    l1().readContract({ ...view(implementation), functionName })
  expect(await from('FAST_BLOCK_INTERVAL')).toBe(100n)
  expect(await from('FAST_INTERMEDIATE_BLOCK_INTERVAL')).toBe(20n)
  const version = await l1().readContract({ ...view(implementation), functionName: 'version' })
  expect(version).toBe('0.1.0')
  const challenger = createChallenger({
    l1: context.rpc,
    l2: httpRpcClient(devnet.description.rpcUrl),
    prover: httpRpcClient(devnet.description.proverUrl),
    wallet: l1Wallet({
      ...{ rpc: context.rpc, ...roleKeys.challenger, clock },
      signal: new AbortController().signal,
      nextBlock: () => devnet.l1.mine(),
    }),
    factory: devnet.description.contracts.disputeGameFactory,
    ...{ gameType, logger, clock },
  })
  const refuted = { kind: 'nullified', game: game.address, index: 2 }
  expect(await challenger.round()).toMatchObject(refuted)
})

test('given rotation-overlap, then new games are of the next image and of the same schedule', async () => {
  const { next, game } = await play('rotation-overlap')
  const { readContract } = l1()
  const of = (address: Hex) => ({ ...view(address), functionName: 'PROTOCOL_VERSIONS' }) as const
  expect(await readContract(of(next.implementation))).toBe(await readContract(of(game.address)))
})

test('given nullified-verifier, then L1 took two journals with the id of the schedule, and no TEE proof counts any more', async () => {
  await play('nullified-verifier')
  const verifier = {
    address: devnet.description.contracts.teeVerifier,
    abi: teeVerifierAbi,
  } as const
  expect(await l1().readContract({ ...verifier, functionName: 'nullified' })).toBe(true)
})
