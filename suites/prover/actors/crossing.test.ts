import { pino } from 'pino'
import {
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbiParameters,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { timestampMs } from '#protocol/derivation/base-time'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { enclave as leaked } from '../contracts/tee-journal.ts'
import { createBadGame, rootAt } from './create-bad-game.ts'
import { outcomes } from './outcomes.ts'

const clock = systemClock
const logger = pino({ level: 'silent' })
/** Milliseconds between two looks. */
const interval = 100
/** Denim's first block: the first game goes from 0 to 10, and its second root from 5 to 10. */
const FIRST_FAST = 7n

let devnet: Devnet
const resources = new ResourceStack()

beforeAll(async () => {
  devnet = resources.add(
    await startDevnet({
      ...{ manual: true, l1BlockTime: 1, batchInterval: 200, logLevel: 'silent' },
      upgrades: { azul: 'genesis', denim: `block ${Number(FIRST_FAST)}` },
    }),
  )
  for (let block = 0; block < 14; block += 1) await devnet.node.seal()
})
afterAll(() => resources.stop())

/** What ProtocolVersions.sol chains, worked out by viem: places up to one, from genesis but for three. */
async function chainedByViem(last: number): Promise<Hex> {
  const genesis = await l2Seconds(0n)
  const denim = await l2Seconds(FIRST_FAST)
  const times = Array.from({ length: last + 1 }, (_, place) =>
    [7, 11, 12].includes(place) ? 0n : place === 13 ? denim : genesis,
  )
  return times.reduce<Hex>(
    (link, time, place) =>
      keccak256(
        encodeAbiParameters(parseAbiParameters('bytes32, uint256, uint64'), [
          ...([link, BigInt(place), time] as const),
        ]),
      ),
    numberToHex(0, { size: 32 }),
  )
}

const l2Seconds = async (number: bigint) =>
  timestampMs(devnet.node.chain.blockByNumber(number)!) / 1000n

const scheduleIdOf = (game: Hex) =>
  l1().readContract({ address: game, abi: scheduledVerifierAbi, functionName: 'scheduleId' })

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl) })

test('given ten blocks that cross Denim, when a proposer proves them, then L1 takes one game for both sides of it', async () => {
  const { description, node } = devnet
  const at = (number: bigint) => timestampMs(node.chain.blockByNumber(number)!)
  expect(at(FIRST_FAST) - at(FIRST_FAST - 1n)).toBe(2_000n)
  expect(at(FIRST_FAST + 1n) - at(FIRST_FAST)).toBe(200n)

  const seen = outcomes()
  const proposer = startProposer({
    ...description,
    factory: description.contracts.disputeGameFactory,
    key: roleKeys.proposer,
    finality: 'safe',
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  // The sequencer was told to run ahead: the claim's second has not come on L1 yet.
  await seen.first('early')
  const end = (await l2Seconds(10n)) + 1n
  while ((await l1().getBlock()).timestamp < end) await devnet.l1.mine()
  const { game } = (await seen.first('created')) as unknown as { game: Hex }
  await proposer.stop()
  const view = { address: game, abi: aggregateVerifierAbi } as const
  expect(await l1().readContract({ ...view, functionName: 'l2SequenceNumber' })).toBe(10n)
  expect(await l1().readContract({ ...view, functionName: 'rootClaim' })).toBe(
    await rootAt(description.rollupRpcUrl, 10),
  )
  expect(await l1().readContract({ ...view, functionName: 'proofCount' })).toBe(1)
  expect(await scheduleIdOf(game)).toBe(await chainedByViem(13))
})

test('given a wrong root for blocks that cross Denim, when a challenger sees it, then a real proof refutes it', async () => {
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

test('when `rollbed follow` derives the chain from L1 alone, then it has the same blocks on both sides of Denim', async () => {
  const { exitCode, stdout, stderr } = await new RollbedProcess(
    ['follow', '--to', '12', '--json'],
    {
      prepare: (folder) => writeDevnetFile(`${folder}/.rollbed/devnet.json`, devnet.description),
    },
  ).outcome
  expect(exitCode, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ compared: 12, difference: null })
})
