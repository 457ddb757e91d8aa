import { pino } from 'pino'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hexToBytes,
  http,
  keccak256,
  numberToHex,
  parseAbiParameters,
  slice,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import { l1Client } from '#devnet/actors/l1-client'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { startRegistrar } from '#devnet/actors/registrar/start-registrar'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { mineAt } from '#devnet/scenarios/l1-time'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
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
/** Seconds: so long that L1, which goes by the machine's time, is behind L2, which is told to run ahead. */
const BLOCK_TIME = 30
/** Denim's first block: the first game goes from 0 to 10, and its second root from 5 to 10. */
const FIRST_FAST = 7n

interface Created {
  game: Hex
  transaction: Hex
}

let devnet: Devnet
let straddling: Created
let fast: Created
const resources = new ResourceStack()

beforeAll(async () => {
  devnet = resources.add(
    await startDevnet({
      ...{
        manual: true,
        blockTime: BLOCK_TIME,
        l1BlockTime: 1,
        batchInterval: 200,
        logLevel: 'silent',
      },
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

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl), cacheTime: 0 })

/** Has the second of an L2 block come on L1. */
const makeDue = async (number: bigint) =>
  mineAt(httpRpcClient(devnet.description.l1RpcUrl), await l2Seconds(number))

const view = (address: Hex) => ({ address, abi: aggregateVerifierAbi }) as const

/** The next game, up to a block, by our proposer; and what it came to first. */
async function proposeNext(end: bigint) {
  const { description } = devnet
  const seen = outcomes()
  const proposer = startProposer({
    ...description,
    factory: description.contracts.disputeGameFactory,
    key: roleKeys.proposer,
    finality: 'safe',
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  const first = await seen.first('early', 'created')
  await makeDue(end)
  const created = (await seen.first('created')) as unknown as Created
  await proposer.stop()
  return { first, created }
}

/** Whether our challenger refutes the second root of a game whose key leaked; L1 forgets it afterwards. */
async function expectRefuted(place: Parameters<typeof createBadGame>[1]): Promise<void> {
  const { description } = devnet
  const client = createTestClient({ mode: 'anvil', transport: http(description.l1RpcUrl) })
  const snapshot = await client.snapshot()
  const { imageHash } = description.enclaves[0]!
  const owner = {
    rpcUrl: description.l1RpcUrl,
    chainId: description.l1ChainId,
    mine: () => devnet.l1.mine(),
  }
  await registerDevSigners(owner, [{ signer: leaked.address, imageHash }])
  const bad = await createBadGame(devnet, place)
  const seen = outcomes()
  const challenger = startChallenger({
    ...description,
    l2RpcUrl: description.rpcUrl,
    factory: description.contracts.disputeGameFactory,
    key: roleKeys.challenger,
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  const refuted = (await seen.first('nullified')) as unknown as { transaction: Hex }
  expect(refuted).toMatchObject({ game: bad, index: 1 })
  await challenger.stop()
  expect(await l1().readContract({ ...view(bad), functionName: 'proofCount' })).toBe(0)
  const audited = await audit(refuted.transaction)
  expect(audited).toMatchObject({ verdict: 'pass', claims: [{ subject: 'interval' }] })
  await client.revert({ id: snapshot })
}

const audit = (transaction: Hex) =>
  auditInput(
    { bytes: hexToBytes(transaction) },
    { known: {}, signers: [], l1: l1Client(httpRpcClient(devnet.description.l1RpcUrl)) },
  )

test('given the registry since Cobalt, when a registrar finds an enclave, then it registers the attestation itself', async () => {
  const { description } = devnet
  const [{ signer, imageHash }] = description.enclaves as [(typeof description.enclaves)[0]]
  const address = description.contracts.teeProverRegistry
  const registry = { address, abi: teeProverRegistryAbi } as const
  const isValid = () =>
    l1().readContract({ ...registry, functionName: 'isValidSigner', args: [signer] })
  const wallet = l1Wallet({
    ...{ rpc: httpRpcClient(description.l1RpcUrl), ...roleKeys.registrar, clock },
    signal: new AbortController().signal,
    nextBlock: () => devnet.l1.mine(),
  })
  await wallet.send({ ...registry, functionName: 'deregisterSigner', args: [signer] })
  expect(await isValid()).toBe(false)

  const before = await l1().getBlockNumber()
  const seen = outcomes()
  const registrar = startRegistrar({
    l1RpcUrl: description.l1RpcUrl,
    proverUrls: [description.proverUrl],
    registry: address,
    key: roleKeys.registrar,
    trustedRoot: hexToBytes(description.attestationRoot),
    ...{ clock, logger, interval, onOutcome: seen.add },
  })
  expect(await seen.first('reconciled')).toMatchObject({ registered: [signer], refused: [] })
  await registrar.stop()
  expect(await isValid()).toBe(true)

  const image = { ...registry, functionName: 'signerImageHash', args: [signer] } as const
  expect(await l1().readContract(image)).toBe(imageHash)
  expect(await calldataTo(address, before)).toContain(
    // Source: base/contracts, TEEProverRegistry.sol.
    toFunctionSelector('registerSigner(bytes,bytes,bytes)'),
  )
})

/** The functions that transactions to a contract called since a block. */
async function calldataTo(address: Hex, since: bigint): Promise<Hex[]> {
  const called: Hex[] = []
  const head = await l1().getBlockNumber()
  for (let blockNumber = since + 1n; blockNumber <= head; blockNumber += 1n) {
    const { transactions } = await l1().getBlock({ blockNumber, includeTransactions: true })
    for (const { to, input } of transactions)
      if (to?.toLowerCase() === address) called.push(slice(input, 0, 4))
  }
  return called
}

test('given ten blocks that cross Denim, when a proposer proves them, then L1 takes one game for both sides of it', async () => {
  const { description, node } = devnet
  const at = (number: bigint) => timestampMs(node.chain.blockByNumber(number)!)
  expect(at(FIRST_FAST) - at(FIRST_FAST - 1n)).toBe(1_000n * BigInt(BLOCK_TIME))
  expect(at(FIRST_FAST + 1n) - at(FIRST_FAST)).toBe(200n)

  const { first, created } = await proposeNext(10n)
  expect(first.kind).toBe('early')
  straddling = created
  const { game } = straddling
  const read = l1().readContract
  expect(await read({ ...view(game), functionName: 'l2SequenceNumber' })).toBe(10n)
  expect(await read({ ...view(game), functionName: 'rootClaim' })).toBe(
    await rootAt(description.rollupRpcUrl, 10),
  )
  expect(await read({ ...view(game), functionName: 'proofCount' })).toBe(1)
  expect(await scheduleIdOf(game)).toBe(await chainedByViem(13))
})

test('given a game behind it, then it has the fast intervals, a hundred blocks of 200 ms, and L1 takes a real proof of it', async () => {
  const { description, node } = devnet
  while (node.chain.latest().header.number < 110n) await node.seal()
  fast = (await proposeNext(110n)).created
  const { game } = fast
  const read = l1().readContract
  expect(await read({ ...view(game), functionName: 'parentAddress' })).toBe(
    getAddress(straddling.game),
  )
  expect(await read({ ...view(game), functionName: 'l2SequenceNumber' })).toBe(110n)
  const roots = await read({ ...view(game), functionName: 'intermediateOutputRoots' })
  const truth = [60, 110].map((block) => rootAt(description.rollupRpcUrl, block))
  expect(roots).toBe(concatHex(await Promise.all(truth)))
  expect(await scheduleIdOf(game)).toBe(await chainedByViem(13))
})

test('when the transactions that made these games are audited, then all was read from L1, and the era of their journals is named', async () => {
  for (const [made, [start, end]] of [
    [straddling, ['0', '10']],
    [fast, ['10', '110']],
  ] as const) {
    const audited = await audit(made.transaction)
    expect(audited).toMatchObject({ verdict: 'pass', notes: [] })
    const [claim] = audited.claims
    expect(claim!.summary).toMatch(/^initData: fits the scheduled journal of 292 bytes; signed by/)
    expect(claim!.schedule).toEqual({
      id: await chainedByViem(13),
      says: 'of what holds since Denim, which is the whole schedule',
    })
    const value = (name: string) => claim!.fields.find(({ field }) => field === name)?.value
    expect([value('startingL2Block'), value('endingL2Block')]).toEqual([start, end])
    expect(value('scheduleId')).toBe(await chainedByViem(13))
  }
})

test('given a wrong root for blocks that cross Denim, when a challenger sees it, then a real proof refutes it', async () => {
  await expectRefuted({})
})

test('given a wrong root of a game behind Denim, then a real proof of its fifty blocks refutes it', async () => {
  await expectRefuted({ parent: straddling.game, startBlock: 10, interval: 50 })
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
