import fc from 'fast-check'
import { encodePacked, keccak256, recoverAddress, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ProgramResult, Proposal } from '../proof/types.ts'
import type { Hash, Hex } from '../types/bytes.ts'
import { sampleRoots, samplingRules } from './sampling.ts'
import { signProposals } from './sign-proposals.ts'
import { createSigner } from './signer.ts'

const root = (number: bigint): Hash => toHex(number + 0x1000n, { size: 32 })
const IMAGE = toHex(0x55n, { size: 32 })
const real = createSigner(Buffer.alloc(32, 7))

function rangeOf(agreed: bigint, count: number, interval: bigint): ProgramResult {
  const blocks = Array.from({ length: count }, (_, index) => {
    const number = agreed + BigInt(index) + 1n
    return { number, hash: root(number), outputRoot: root(number) }
  })
  return {
    chainId: 84538453n,
    configHash: toHex(0x11n, { size: 32 }),
    l1Head: toHex(0x22n, { size: 32 }),
    l1HeadNumber: 100n,
    agreedOutputRoot: root(agreed),
    agreedBlockNumber: agreed,
    claimedOutputRoot: root(agreed + BigInt(count)),
    claimedBlockNumber: agreed + BigInt(count),
    proposer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    intermediateBlockInterval: interval,
    blocks,
  }
}

/** Counts signatures and keeps the journals. */
function recordingSigner() {
  const journals: Hex[] = []
  const sign = (journal: Uint8Array) => {
    journals.push(toHex(journal))
    return real.sign(journal)
  }
  return { signer: { ...real, sign }, journals }
}

/** What L1 would hash for a proposal (AggregateVerifier packs it so). */
const journalOf = (result: ProgramResult, start: bigint, p: Proposal, roots: Hash[]) =>
  encodePacked(
    [
      'address',
      'bytes32',
      'bytes32',
      'uint64',
      'bytes32',
      'uint64',
      'bytes32[]',
      'bytes32',
      'bytes32',
    ],
    [
      result.proposer,
      result.l1Head,
      p.prevOutputRoot,
      start,
      p.outputRoot,
      p.l2BlockNumber,
      roots,
      p.configHash,
      IMAGE,
    ],
  )

async function signerOf(journal: Hex, signature: Hex) {
  const v = 27n + BigInt(`0x${signature.slice(130)}`)
  const address = await recoverAddress({
    hash: keccak256(journal),
    signature: `${signature.slice(0, 130) as Hex}${v.toString(16)}`,
  })
  return address.toLowerCase()
}

describe('the proposals of a range', () => {
  test('given any range, then they chain block by block and end in an aggregate, all by one key (JRN-12..16, SIG-05)', async () => {
    const ranges = fc.record({
      agreed: fc.bigInt(0n, 2000n),
      count: fc.integer({ min: 2, max: 12 }),
      interval: fc.bigInt(1n, 15n),
    })
    await fc.assert(
      fc.asyncProperty(ranges, async ({ agreed, count, interval }) => {
        const result = rangeOf(agreed, count, interval)
        const { proposals, aggregateProposal } = signProposals(result, real, IMAGE)
        expect(proposals).toHaveLength(count)
        for (const [index, proposal] of proposals.entries()) {
          const start = agreed + BigInt(index)
          expect(proposal.l2BlockNumber).toBe(start + 1n)
          expect(proposal.prevOutputRoot).toBe(root(start))
          const journal = journalOf(result, start, proposal, [])
          expect(await signerOf(journal, proposal.signature)).toBe(real.address)
        }
        const sampled: Hash[] = []
        for (let n = agreed + interval; n <= agreed + BigInt(count); n += interval)
          sampled.push(root(n))
        const journal = journalOf(result, agreed, aggregateProposal, sampled)
        expect(await signerOf(journal, aggregateProposal.signature)).toBe(real.address)
        expect(aggregateProposal.prevOutputRoot).toBe(result.agreedOutputRoot)
        expect(aggregateProposal.outputRoot).toBe(result.claimedOutputRoot)
        expect(aggregateProposal.l1OriginHash).toBe(result.l1Head)
        expect(aggregateProposal.l1OriginNumber).toBe(result.l1HeadNumber)
      }),
      { numRuns: 15 },
    )
  })

  test.each([0n, 1n, 5n])(
    'given one block and interval %d, then the aggregate is the proposal (PRV-PROP-08, OPEN-53)',
    (interval) => {
      const { signer, journals } = recordingSigner()
      const result = signProposals(rangeOf(999n, 1, interval), signer, IMAGE)
      expect(result.aggregateProposal).toEqual(result.proposals[0])
      expect(journals).toHaveLength(1)
      expect(journals[0]).toHaveLength(2 + 2 * 196)
    },
  )

  test('given three blocks and interval two, then there are four signatures, the aggregate last, and one root', () => {
    const { signer, journals } = recordingSigner()
    signProposals(rangeOf(0n, 3, 2n), signer, IMAGE)
    expect(journals.map((journal) => journal.length / 2 - 1)).toEqual([196, 196, 196, 228])
  })

  test('given a range, then every journal carries the image hash (SAFE-04, JRN-11)', () => {
    const { signer, journals } = recordingSigner()
    signProposals(rangeOf(5n, 4, 2n), signer, IMAGE)
    expect(journals.every((journal) => journal.endsWith(IMAGE.slice(2)))).toBe(true)
  })
})

describe('nothing is signed (SAFE-02, SAFE-03)', () => {
  const good = rangeOf(10n, 3, 1n)
  const gap = good.blocks.with(1, { ...good.blocks[1]!, number: 99n })
  test.each([
    ['no blocks', { blocks: [] }, 'NO_BLOCKS', 'no proposals provided for aggregation'],
    ['another root', { claimedOutputRoot: root(1n) }, 'INVALID_CLAIM', 'computed 0x'],
    ['another block', { claimedBlockNumber: 14n }, 'CLAIM_UNREACHABLE', 'derivation reaches'],
    ['a gap between blocks', { blocks: gap }, 'BROKEN_RANGE', 'does not follow'],
    ['an interval of zero', { intermediateBlockInterval: 0n }, 'INTERVAL_ZERO', 'not be zero'],
  ] as [string, Partial<ProgramResult>, string, string][])(
    'given %s, then it is refused in words',
    (_what, change, code, words) => {
      const { signer, journals } = recordingSigner()
      const message: unknown = expect.stringContaining(words)
      expect(() => signProposals({ ...good, ...change }, signer, IMAGE)).toThrow(
        expect.objectContaining({ code, message }),
      )
      expect(journals).toEqual([])
    },
  )
})

describe('sampling (OPEN-50…52)', () => {
  const numbersOf = (agreed: bigint, count: number, interval: bigint) =>
    sampleRoots(rangeOf(agreed, count, interval).blocks, interval).map(
      (hash) => BigInt(hash) - 0x1000n,
    )

  test.each([
    ['the interval divides the range', 1000n, 10, 5n, [1005n, 1010n]],
    ['the interval leaves a remainder', 1000n, 11, 5n, [1005n, 1010n]],
    ['the interval is above the range', 1000n, 4, 5n, []],
    ['the interval is the range', 1000n, 5, 5n, [1005n]],
    ['the interval is one', 3n, 3, 1n, [4n, 5n, 6n]],
    ['the interval is above every integer', 3n, 3, 2n ** 64n - 1n, []],
  ] as const)(
    'given that %s, then the roots are those that it samples',
    (_what, agreed, count, interval, expected) => {
      expect(numbersOf(agreed, count, interval)).toEqual(expected)
    },
  )

  test('given the literal reading, then it counts from the last block number (OPEN-50)', () => {
    expect(samplingRules['last-block-number'](100n, 110n, 5n)).toBe(22n)
    expect(samplingRules['blocks-in-range'](100n, 110n, 5n)).toBe(2n)
  })
})
