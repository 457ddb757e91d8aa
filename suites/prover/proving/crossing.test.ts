import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { timestampMs } from '#protocol/derivation/base-time'
import { scheduleId } from '#protocol/derivation/schedule-id'
import { decodeExtraData } from '#protocol/execution/extra-data'
import { signProposals } from '#protocol/journal/sign-proposals'
import { createSigner } from '#protocol/journal/signer'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { type Chains, runProgram } from '#protocol/proof/run-program'
import type { ProgramResult } from '#protocol/proof/types'
import type { JournalEra } from '#protocol/types/journal-era'
import { type TestChain, testChain } from './test-chain.ts'

/** CLZ of 1 into slot 0; no code is left. Before Azul the opcode is none, and the creation fails. */
const CLZ_INIT_CODE = '0x60011e5f5500'

/** When the small chain begins, as its L1 always says; seconds. */
const GENESIS = 1_700_000_004

let chain: TestChain

/**
 * Azul and Denim in the third block: 1 and 2 are 2 s blocks, 3 is the first of 200 ms. A user deposit
 * comes behind it, and a transaction in each of several blocks.
 */
beforeAll(async () => {
  chain = await testChain(undefined, { azul: GENESIS + 5, denim: GENESIS + 5 })
  expect(chain.config.genesis.l2Time).toBe(GENESIS)
  const clz = async () => chain.sign({ to: null, data: CLZ_INIT_CODE, value: 0n, gas: 200_000n })
  await chain.build([await chain.sign()])
  await chain.build([await clz()])
  await chain.build([await clz()])
  for (let count = 0; count < 4; count++) await chain.build([await chain.sign()])
  const deposit = encodeFunctionData({
    abi: optimismPortalAbi,
    functionName: 'depositTransaction',
    args: [userKeys[3]!.address, 5n, 100_000n, false, '0x'],
  })
  await chain.sendToL1([{ name: 'deposit', to: chain.portal, data: deposit, value: 5n }])
  await chain.post()
  for (let count = 0; count < 3; count++) await chain.build([await chain.sign()])
  await chain.post()
})

afterAll(() => chain.stop())

const times = () => {
  const start = timestampMs(chain.blocks[0]!)
  return chain.blocks.map((block) => Number(timestampMs(block) - start))
}

async function prove(
  from: number,
  to: number,
  { journal, scheduleL2BlockNumber }: { journal?: JournalEra; scheduleL2BlockNumber?: bigint } = {},
) {
  const { l1, l2, config } = chain
  const chains = new Map([[BigInt(l2ChainId), { ...config, journal }]]) as Chains
  const request = { ...(await chain.request(from, to)), scheduleL2BlockNumber }
  const preimages = await buildWitness(request, { chainId: BigInt(l2ChainId), chains, l1, l2 })
  return { request, ...(await runProgram(verifiedOracle(preimages), { chains })) }
}

describe('a chain that crosses Azul and Denim', () => {
  test('given its blocks, then the third is on the old grid and the others follow by 200 ms', () => {
    expect(times()).toEqual([0, 2000, 4000, 6000, 6200, 6400, 6600, 6800, 7000, 7200, 7400])
  })

  test('given the first fast block, then it has a tenth of the gas and ten times the denominator, once', () => {
    const [before, , first, next] = chain.blocks.slice(1, 5).map(({ header }) => header)
    expect(first!.gasLimit).toBe(before!.gasLimit / 10n)
    expect(next!.gasLimit).toBe(first!.gasLimit)
    const denominators = [before, first, next].map(
      (header) => decodeExtraData(header!.extraData, 'jovian').denominator,
    )
    const [old, scaled, after] = denominators
    expect(scaled).toBe(old! * 10)
    expect(after).toBe(scaled)
  })

  test('given CLZ before and after, then it fails and then runs', () => {
    expect(chain.blocks[2]!.receipts.at(-1)!.status).toBe(0)
    expect(chain.blocks[3]!.receipts.at(-1)!.status).toBe(1)
  })

  test.each([
    ['over the boundary', 1, 8],
    ['from the last slow block', 2, 3],
    ['within a second of Denim', 4, 6],
    ['before it alone', 1, 2],
  ])('given a range %s, then its proof holds on its witness alone', async (_, from, to) => {
    const { request, blocks } = await prove(from, to)
    expect(blocks.map(({ hash }) => hash)).toEqual(
      chain.blocks.slice(from, to + 1).map(({ hash }) => hash),
    )
    expect(blocks.at(-1)!.outputRoot).toBe(request.claimedL2OutputRoot)
  })
})

describe('the journals of its proofs', () => {
  /** Regolith to Jovian at genesis but for a test network's; Azul and Denim; Beryl and Cobalt are not built. */
  const until = (last: number) =>
    scheduleId(
      Array.from({ length: last + 1 }, (_, place) => {
        if ([7, 11, 12].includes(place)) return 0n
        return BigInt(place < 10 ? GENESIS : GENESIS + 5)
      }),
    )
  const signed = (result: ProgramResult) =>
    signProposals(result, createSigner(Buffer.alloc(32, 7)), `0x${'55'.repeat(32)}`)

  test('given the era before schedules, then they name none', async () => {
    const { aggregateProposal } = signed(await prove(1, 8))
    expect(aggregateProposal).not.toHaveProperty('scheduleId')
  })

  test.each([
    ['whole-schedule', 1, 2, until(13)],
    ['activated-schedule', 1, 2, until(9)],
    ['activated-schedule', 1, 8, until(13)],
  ] as const)(
    'given the era %s, when blocks %s to %s are proven, then every proposal names its id',
    async (journal, from, to, id) => {
      const { aggregateProposal, proposals } = signed(await prove(from, to, { journal }))
      for (const each of [aggregateProposal, ...proposals]) expect(each.scheduleId).toBe(id)
    },
  )

  test('given one interval of a game that ends behind Denim, then its proof names the schedule of the end', async () => {
    const dispute = { journal: 'activated-schedule', scheduleL2BlockNumber: 8n } as const
    expect((await prove(1, 2, dispute)).scheduleId).toBe(until(13))
  })

  test('given a schedule that is read before Denim, then blocks behind it are not signed', async () => {
    const early = { journal: 'activated-schedule', scheduleL2BlockNumber: 2n } as const
    await expect(prove(1, 8, early)).rejects.toMatchObject({ code: 'CLAIM_UNREACHABLE' })
  })
})
