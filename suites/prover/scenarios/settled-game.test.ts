import { pino } from 'pino'
import { concatHex, decodeFunctionData, type Hex, numberToHex, slice } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { createSettler } from '#devnet/actors/settle-games'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import { createScenarioContext, type ScenarioContext } from '#devnet/scenarios/scenario-context'
import { timePasses } from '#devnet/scenarios/time-passes'
import type { Devnet } from '#devnet/start-devnet'
import { gameType } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { devnetWithBlocks } from './devnet-with-blocks.ts'

const logger = pino({ level: 'silent' })
const defenderWins = 2

let devnet: Devnet
let context: ScenarioContext
/** The prover host, and what went through it. */
const asked: { request: unknown; result: ProofResultJson }[] = []
let prover: RpcClient
let game: Hex
let transaction: Hex

beforeAll(async () => {
  devnet = await devnetWithBlocks(10)
  context = createScenarioContext({ ...devnet.description, clock: systemClock, logger })
  const host = httpRpcClient(devnet.description.proverUrl)
  prover = {
    async request(method, params) {
      const result = await host.request(method, params)
      if (method === 'prover_prove')
        asked.push({ request: (params as unknown[])[0], result: result as ProofResultJson })
      return result
    },
  }
  const outcome = await createProposer({
    l1: context.rpc,
    rollup: httpRpcClient(devnet.description.rollupRpcUrl),
    prover,
    wallet: context.wallet(roleKeys.proposer),
    factory: context.contracts.disputeGameFactory,
    gameType,
    finality: 'safe',
    logger,
  }).round()
  ;({ game, transaction } = outcome as unknown as { game: Hex; transaction: Hex })
})
afterAll(() => devnet.stop())

const read = (functionName: 'status' | 'bondClaimed' | 'extraData' | 'rootClaim') =>
  context.l1.readContract({ address: game, abi: aggregateVerifierAbi, functionName })

test('given a real answer, then the roots in the proposal are its per-block roots (PIPE-24)', async () => {
  const { proposals } = asked[0]!.result.Tee
  // BLOCK_INTERVAL 10, INTERMEDIATE_BLOCK_INTERVAL 5.
  expect(proposals.map(({ l2_block_number }) => l2_block_number)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 1),
  )
  expect(await read('extraData')).toBe(
    concatHex([
      numberToHex(10, { size: 32 }),
      context.contracts.anchorStateRegistry,
      proposals[4]!.output_root,
      proposals[9]!.output_root,
    ]),
  )
})

test('then what it sends is the aggregate signature, its v raised to what L1 takes (PIPE-25, SIG-06)', async () => {
  const { signature } = asked[0]!.result.Tee.aggregate_proposal
  const { input } = await context.l1.getTransaction({ hash: transaction })
  const { args } = decodeFunctionData({ abi: disputeGameFactoryAbi, data: input })
  const initData = args![3] as Hex
  expect(slice(initData, 65, 129)).toBe(slice(signature, 0, 64))
  expect(Number(slice(initData, 129))).toBe(Number(slice(signature, 64)) + 27)
})

test('given a game that is resolved and paid, when its range is proven again, then the same root is signed (PIPE-22)', async () => {
  const settler = createSettler({
    l1: context.rpc,
    wallet: context.wallet(roleKeys.proposer),
    factory: context.contracts.disputeGameFactory,
    gameType,
    logger,
  })
  while (!(await read('bondClaimed'))) {
    const { kind } = await settler.round()
    if (kind === 'nothing to settle') await timePasses.play(context)
  }
  expect(await read('status')).toBe(defenderWins)

  const [{ request, result }] = asked as [(typeof asked)[0]]
  expect(await prover.request('prover_prove', [request])).toEqual(result)
  expect(result.Tee.aggregate_proposal.output_root).toBe(await read('rootClaim'))
})
