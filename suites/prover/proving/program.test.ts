import { hexToBytes } from '@ethereumjs/util'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { keccakKey, localKey } from '#protocol/oracle/preimage-key'
import { LocalKey, type Preimage } from '#protocol/oracle/preimage-oracle'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import type { ProgramResult, ProofRequest } from '#protocol/proof/types'
import { type TestChain, testChain } from './test-chain.ts'

/** Stores the hash of the block two before in slot 0; leaves no code. */
const BLOCKHASH_INIT_CODE = '0x6002430340600055'
/** Stores 1 in slot 0 and leaves one byte of code, which a later block reads. */
const CONTRACT_INIT_CODE = '0x600160005560005f5360015ff3'

let chain: TestChain

/**
 * Blocks 1..3: transfers and a contract; 4: a user deposit from L1, BLOCKHASH, a call of the
 * contract; 5: nothing but attributes; all but the last are posted in two channels.
 */
beforeAll(async () => {
  chain = await testChain()
  await chain.build([
    await chain.sign(),
    await chain.sign({ to: null, data: CONTRACT_INIT_CODE, value: 0n }),
  ])
  await chain.build([await chain.sign({ to: userKeys[2]!.address })])
  await chain.build([])
  const deposit = encodeFunctionData({
    abi: optimismPortalAbi,
    functionName: 'depositTransaction',
    args: [userKeys[3]!.address, 5n, 100_000n, false, '0x'],
  })
  await chain.sendToL1([{ name: 'deposit', to: chain.portal, data: deposit, value: 5n }])
  await chain.post()
  await chain.build([await chain.sign({ to: null, data: BLOCKHASH_INIT_CODE, value: 0n })])
  await chain.build([])
  await chain.build([await chain.sign()])
  await chain.post()
  await chain.build([])
})

afterAll(() => chain.stop())

function witness(request: ProofRequest): Promise<Preimage[]> {
  const { chains, l1, l2 } = chain
  return buildWitness(request, { chainId: BigInt(l2ChainId), chains, l1, l2 })
}

const prove = (preimages: Preimage[]): Promise<ProgramResult> =>
  (async () => runProgram(verifiedOracle(preimages), { chains: chain.chains }))()

const withLocal = (preimages: Preimage[], identifier: number, value: Uint8Array) => [
  ...preimages,
  { key: localKey(identifier), value },
]

describe('one program, two oracles', () => {
  it('given a witness, when run on it alone, then every block of the range has its root (PIPE-16, PIPE-17)', async () => {
    const request = await chain.request(1, 6)
    const { blocks, ...result } = await prove(await witness(request))
    expect(result).toMatchObject({
      l1Head: request.l1Head,
      l1HeadNumber: request.l1HeadNumber,
      agreedBlockNumber: 0n,
      agreedOutputRoot: request.agreedL2OutputRoot,
      claimedBlockNumber: 6n,
      proposer: request.proposer,
      intermediateBlockInterval: 2n,
    })
    expect(blocks.map(({ number, hash }) => [number, hash])).toEqual(
      chain.blocks.slice(1, 7).map(({ header, hash }) => [header.number, hash]),
    )
    expect(blocks.at(-1)!.outputRoot).toBe(request.claimedL2OutputRoot)
  })

  it('given the chain, when looked at, then it holds a user deposit and an epoch of several blocks', () => {
    const types = chain.blocks.map(({ transactions }) => transactions.map(({ type }) => type))
    expect(types.flat().filter((type) => type === 0x7e).length).toBe(chain.blocks.length)
    expect(chain.blocks.every(({ receipts }) => receipts.every(({ status }) => status === 1))).toBe(
      true,
    )
  })

  it.each([
    [2, 2],
    [3, 5],
    [4, 4],
    [6, 6],
  ])(
    'given the range %i..%i in mid-chain, when proven, then from its own parent',
    async (from, to) => {
      const { blocks, agreedBlockNumber } = await prove(
        await witness(await chain.request(from, to)),
      )
      expect(agreedBlockNumber).toBe(BigInt(from - 1))
      expect(blocks.map(({ number }) => Number(number))).toEqual(
        Array.from({ length: to - from + 1 }, (_, index) => from + index),
      )
    },
  )

  it('given a node of state made inside the range, when witnessed, then it is not shipped', async () => {
    const preimages = await witness(await chain.request(1, 6))
    const shipped = new Set(preimages.map(({ key }) => Buffer.from(key.data).toString('hex')))
    for (const { header } of chain.blocks.slice(1)) {
      const { data } = keccakKey(header.stateRoot)
      expect(shipped.has(Buffer.from(data).toString('hex'))).toBe(false)
    }
  })
})

describe('a run that is no longer wanted', () => {
  it('given a signal aborted after the first block, when witnessed, then it ends with its reason', async () => {
    const { chains, l1, l2 } = chain
    const abort = new AbortController()
    const seen: bigint[] = []
    const onProgress = ({ number }: { number: bigint }) => {
      seen.push(number)
      abort.abort(new Error('caller left'))
    }
    const sources = { chainId: BigInt(l2ChainId), chains, l1, l2, onProgress, signal: abort.signal }
    await expect(buildWitness(await chain.request(1, 6), sources)).rejects.toThrow('caller left')
    expect(seen).toEqual([1n])
  })
})

describe('claims that do not hold', () => {
  const wrong = `0x${'99'.repeat(32)}` as const

  it.each<[string, (request: ProofRequest) => Partial<ProofRequest>, string]>([
    ['a wrong claimed root (PIPE-18)', () => ({ claimedL2OutputRoot: wrong }), 'INVALID_CLAIM'],
    ['a wrong agreed root (PRV-REQ-06)', () => ({ agreedL2OutputRoot: wrong }), 'PREIMAGE_MISSING'],
    [
      'the head of another block (PRV-REQ-05)',
      () => ({ agreedL2HeadHash: chain.blocks[2]!.hash }),
      'PREIMAGE_MISSING',
    ],
    ['a claimed number below', () => ({ claimedL2BlockNumber: 1n }), 'CLAIM_UNREACHABLE'],
    ['a claimed number beyond', () => ({ claimedL2BlockNumber: 9n }), 'CLAIM_UNREACHABLE'],
    ['the root of an earlier block', () => ({ claimedL2BlockNumber: 5n }), 'INVALID_CLAIM'],
    [
      'nothing to prove',
      ({ agreedL2OutputRoot }) => ({ claimedL2OutputRoot: agreedL2OutputRoot }),
      'TRACE_EXTENSION',
    ],
    ['a wrong L1 head number', () => ({ l1HeadNumber: 1n }), 'L1_HEAD_INVALID'],
    ['0 as the L1 head number', () => ({ l1HeadNumber: 0n }), 'L1_HEAD_INVALID'],
  ])('given %s, when witnessed, then it fails', async (_, change, code) => {
    const request = await chain.request(2, 4)
    await expect(witness({ ...request, ...change(request) })).rejects.toMatchObject({ code })
  })

  it('given block 7, whose batch is not on L1, when claimed, then it is out of reach (PRV-REQ-03)', async () => {
    await expect(witness(await chain.request(2, 7))).rejects.toMatchObject({
      code: 'CLAIM_UNREACHABLE',
      message: 'invalid claim: derivation reaches L2 block 6, claimed block 7',
    })
  })

  it('given an L1 head before the second channel, when block 4 is claimed, then it is out of reach', async () => {
    const request = await chain.request(1, 4)
    const head = (await chain.l1.request('eth_getBlockByNumber', ['0x3', false])) as {
      hash: `0x${string}`
    }
    const early = { ...request, l1Head: head.hash, l1HeadNumber: 3n }
    await expect(witness(early)).rejects.toMatchObject({ code: 'CLAIM_UNREACHABLE' })
  })

  it('given an unknown chain id, when run, then UnsupportedChain before anything else (ERR-16, PIPE-14)', async () => {
    const { chains, l1, l2 } = chain
    const before = l2.calls.length
    const request = await chain.request(2, 4)
    await expect(buildWitness(request, { chainId: 1n, chains, l1, l2 })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CHAIN',
      message: 'unsupported chain: 1',
    })
    expect(l2.calls.length).toBe(before)
  })

  it('given a rollup config among the boot values, when run, then it changes nothing (PIPE-15)', async () => {
    const preimages = await witness(await chain.request(2, 4))
    const expected = await prove(preimages)
    const config = new TextEncoder().encode('{"l2_chain_id":1}')
    expect(await prove(withLocal(preimages, LocalKey.rollupConfig, config))).toEqual(expected)
  })
})

describe('a batch with a transaction that may not stand in its block (OP specs, Holocene)', () => {
  it.each([
    ['a nonce too high', async ({ sign }: TestChain) => [await sign(), await sign()].slice(1)],
    ['bytes that are no transaction', async () => ['0x02c0' as const]],
  ])(
    'given %s, when proven, then the block has its deposits only, on both sides',
    async (_, bad) => {
      const other = await testChain()
      try {
        const transactions = (await bad(other)).map((raw) => hexToBytes(raw))
        await other.build()
        await other.post((batch) => ({ ...batch, transactions }))
        const { chains, l1, l2 } = other
        const request = await other.request(1, 1)
        const sources = { chainId: BigInt(l2ChainId), chains, l1, l2 }
        const preimages = await buildWitness(request, sources)
        const { blocks } = await runProgram(verifiedOracle(preimages), { chains })
        expect(blocks).toMatchObject([{ number: 1n, hash: other.blocks[1]!.hash }])
      } finally {
        await other.stop()
      }
    },
  )
})
