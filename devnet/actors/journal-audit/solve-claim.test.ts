import { concatHex, encodePacked, type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Audit } from './audit.ts'
import { auditInput } from './audit-input.ts'

const privateKey = keccak256('0xe2')
const signer = privateKeyToAddress(privateKey).toLowerCase() as Hex
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const proposer: Hex = `0x${'f3'.repeat(20)}`
const teeImageHash = word('1a')
const configHash = word('c0')
const l1Origin = word('22')
const roots = Array.from({ length: 7 }, (_, index) => keccak256(numberToHex(index)))

interface Signed {
  from: number
  to: number
  l1: Hex
  prev: Hex
  start: number
  root: Hex
  end: number
  inner: Hex[]
  config: Hex
  image: Hex
}

/** What an enclave signs for blocks `from` + 1 to `to`, by viem. */
function honest(from: number, to: number, inner: Hex[]): Signed {
  return {
    from,
    to,
    l1: l1Origin,
    prev: roots[from]!,
    start: 1000 + from,
    root: roots[to]!,
    end: 1000 + to,
    inner,
    config: configHash,
    image: teeImageHash,
  }
}

/** The proposal as it is claimed, with a signature over what was really signed. */
async function proposal(claimed: Signed, change: (journal: Hex) => Hex, signed = claimed) {
  const { l1, prev, start, root, end, inner, config, image } = signed
  const number = (value: number) => numberToHex(value, { size: 8 })
  const journal = concatHex([
    encodePacked(['address', 'bytes32', 'bytes32'], [proposer, l1, prev]),
    ...[number(start), root, number(end), ...inner, config, image],
  ])
  const { r, s, yParity } = await sign({ hash: keccak256(change(journal)), privateKey })
  return {
    output_root: claimed.root,
    signature: concatHex([r, s, numberToHex(yParity!, { size: 1 })]),
    l1_origin_hash: claimed.l1,
    l1_origin_number: 100,
    l2_block_number: claimed.end,
    prev_output_root: claimed.prev,
    config_hash: claimed.config,
  }
}

interface Mistake {
  /** Of which proposal; 6 is the aggregate. */
  at: number
  signs?: (right: Signed) => Partial<Signed>
  changes?: (journal: Hex) => Hex
}

/** An answer for blocks 1001 to 1006 at interval 2, with a mistake in one of its journals. */
async function answer(mistake?: Mistake) {
  const same = (journal: Hex) => journal
  const make = (index: number, right: Signed) => {
    if (mistake?.at !== index) return proposal(right, same)
    return proposal(right, mistake.changes ?? same, { ...right, ...mistake.signs?.(right) })
  }
  const proposals = await Promise.all(
    Array.from({ length: 6 }, (_, index) => make(index, honest(index, index + 1, []))),
  )
  const sampled = [roots[2]!, roots[4]!, roots[6]!]
  return { proposals, aggregate_proposal: await make(6, honest(0, 6, sampled)) }
}

const auditOf = (Tee: unknown, more: { proposer?: Hex; startingL2Block?: bigint } = { proposer }) =>
  auditInput(
    { json: { Tee } },
    { known: { ...more, teeImageHash, interval: 2n }, signers: [signer], triesBytes: true },
  )
const failed = ({ checks }: Audit['claims'][number]) =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)

describe('given a journal that no signature fits', () => {
  test.each<[string, Mistake, string, string]>([
    [
      'the root of a neighbour',
      { at: 2, signs: () => ({ prev: roots[1]! }) },
      'prevOutputRoot as outputRoot of proposals[0]',
      'JRN-05',
    ],
    [
      'an output root of the range',
      { at: 3, signs: () => ({ root: roots[6]! }) },
      'outputRoot as outputRoot of proposals[5]',
      'JRN-07',
    ],
    [
      'another number',
      { at: 1, signs: ({ end }) => ({ end: end + 3 }) },
      'endingL2Block as 1005, not 1002',
      'JRN-08',
    ],
    [
      'the L1 head as configHash',
      { at: 4, signs: () => ({ config: l1Origin }) },
      'configHash as l1OriginHash of proposals[0]',
      'JRN-10',
    ],
    [
      'two intermediate roots swapped',
      { at: 6, signs: ({ inner: [one, two, three] }) => ({ inner: [two!, one!, three!] }) },
      'intermediateRoots[0] and [1] swapped',
      'JRN-09',
    ],
    [
      'one bit of the image hash',
      { at: 0, changes: (journal) => `${journal.slice(0, -1)}b` as Hex },
      'byte 31 of teeImageHash (offset 195) as 0x1b, not 0x1a',
      'JRN-11',
    ],
  ])(
    'when %s was signed, then the field is named and its rule fails',
    async (_, mistake, says, rule) => {
      const { claims, verdict } = await auditOf(await answer(mistake))
      expect(verdict).toBe('fail')
      const claim = claims[mistake.at]!
      expect(claim.summary).toContain(says)
      expect(claim.summary).toContain(`signed by ${signer}`)
      expect(failed(claim)).toEqual([rule])
      for (const other of claims) if (other !== claim) expect(other.verdict).toBe('pass')
    },
  )

  test('when a byte is far off, then every value of every byte is tried', async () => {
    const changes = (journal: Hex): Hex => `0x00${journal.slice(4)}`
    const { claims } = await auditOf(await answer({ at: 0, changes }))
    expect(claims[0]!.summary).toContain('byte 0 of proposer (offset 0) as 0x00, not 0xf3')
  })
})

describe('given proposals that are not all in their place', () => {
  test('when two are swapped, then they are named and the aggregate fits all the same', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const [one, two, ...rest] = proposals
    const { claims } = await auditOf({ proposals: [two, one, ...rest], aggregate_proposal })
    const aggregate = claims.at(-1)!
    expect(aggregate.summary).toContain('fits the specified journal')
    expect(failed(aggregate)).toEqual(['PRV-RES-05'])
    expect(aggregate.checks.at(-1)!.says).toBe(
      'proposals[0] is of block 1002, proposals[1] of block 1001: not in the order of blocks',
    )
  })

  test.each([
    [1, [0]],
    [4, [3]],
    [6, [5]],
  ])(
    'when that of block 100%i is missing, then it is named and the aggregate fits',
    async (number, [index]) => {
      const { proposals, aggregate_proposal } = await answer()
      const { claims } = await auditOf({
        proposals: proposals.toSpliced(index!, 1),
        aggregate_proposal,
      })
      const aggregate = claims.at(-1)!
      expect(aggregate.summary).toContain('fits the specified journal')
      expect(failed(aggregate)).toEqual(['PRV-RES-03'])
      expect(aggregate.checks.at(-1)!.says).toBe(`there is no proposal of block 100${number}`)
    },
  )

  test('when two far from each other are swapped, then both places are named', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const swapped = proposals.with(0, proposals[4]!).with(4, proposals[0]!)
    const { claims } = await auditOf({ proposals: swapped, aggregate_proposal })
    const aggregate = claims.at(-1)!
    expect(aggregate.summary).toContain('fits the specified journal')
    expect(failed(aggregate)).toEqual(['PRV-RES-05', 'PRV-RES-05'])
  })

  test('when two in a row are missing, and no root of theirs was sampled, then they are named and the aggregate fits', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const { claims } = await auditOf({ proposals: proposals.toSpliced(2, 2), aggregate_proposal })
    const aggregate = claims.at(-1)!
    expect(aggregate.summary).toContain('fits the specified journal')
    expect(failed(aggregate)).toEqual(['PRV-RES-03', 'PRV-RES-03'])
  })

  test('when a root that was sampled is told by none, then the aggregate cannot be judged', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const { claims } = await auditOf({ proposals: proposals.toSpliced(2, 3), aggregate_proposal })
    const aggregate = claims.at(-1)!
    expect(aggregate.summary).toContain('cannot be judged: roots of its range are not known')
    expect(failed(aggregate)).toEqual(['PRV-RES-03', 'PRV-RES-03', 'PRV-RES-03'])
  })

  test('when more than the first is missing, then nobody is blamed until the start is told, and then each is named', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const Tee = { proposals: proposals.slice(2), aggregate_proposal }
    const known = { teeImageHash, interval: 2n, proposer }
    const unknown = await auditInput({ json: { Tee } }, { known, signers: [signer] })
    expect(unknown.claims.at(-1)!.summary).toContain(
      'cannot be judged: the block before its range is not known',
    )
    expect(failed(unknown.claims.at(-1)!)).toEqual(['PRV-RES-03'])
    expect(unknown.notes.join()).toContain('give --start')
    const { claims } = await auditOf(Tee, { proposer, startingL2Block: 1000n })
    expect(claims.at(-1)!.summary).toContain('fits the specified journal')
    expect(failed(claims.at(-1)!)).toEqual(['PRV-RES-03', 'PRV-RES-03'])
  })

  test('when there is one of a block that is not in the range, then it is named', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const beyond = { ...proposals[5]!, l2_block_number: 1007 }
    const { claims } = await auditOf({ proposals: [...proposals, beyond], aggregate_proposal })
    expect(failed(claims.at(-1)!)).toEqual(['PRV-RES-03'])
    expect(claims.at(-1)!.checks.at(-1)!.says).toBe(
      "proposals[6] is of block 1007, which the aggregate's range, 1001 to 1006, does not have",
    )
  })

  test.each<[string, Hex, string]>([
    [
      "a neighbour's root",
      roots[3]!,
      'prevOutputRoot as prevOutputRoot of proposals[0], signed instead of what is claimed',
    ],
    [
      'a root with one bit changed',
      `${roots[0]!.slice(0, -1)}${(Number(`0x${roots[0]!.slice(-1)}`) ^ 1).toString(16)}` as Hex,
      'prevOutputRoot as prevOutputRoot of proposals[0]',
    ],
  ])(
    'when all are there and the aggregate claims to begin at %s, then none is missed and the field is named',
    async (_, prev_output_root, says) => {
      const { proposals, aggregate_proposal } = await answer()
      const { claims } = await auditOf({
        proposals,
        aggregate_proposal: { ...aggregate_proposal, prev_output_root },
      })
      const aggregate = claims.at(-1)!
      expect(aggregate.summary).toContain(says)
      expect(failed(aggregate)).toEqual(['JRN-05'])
    },
  )
})

test('given a true answer without its proposer, then nobody is blamed', async () => {
  const { verdict, claims } = await auditOf(await answer(), {})
  expect(verdict).toBe('unknown')
  expect(claims[0]!.summary).toContain('cannot be judged: proposer is not known')
})
