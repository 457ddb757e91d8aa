import { concatHex, encodePacked, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
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

describe('given an answer that tells a number of a block wrongly', () => {
  test.each([
    ['near by', 1007],
    ['that another has', 1004],
    ['far off', 700_000],
    ['before the range', 990],
  ])(
    'when that of a proposal is one %s, then the right one is named (PRV-PROP-05)',
    async (_, wrong) => {
      const { proposals, aggregate_proposal } = await answer()
      const claimed = proposals.with(2, { ...proposals[2]!, l2_block_number: wrong })
      const { claims } = await auditOf({ proposals: claimed, aggregate_proposal })
      expect(claims[2]!.summary).toContain(`l2_block_number as 1003, not ${wrong}`)
      expect(claims[2]!.summary).toContain(`signed by ${signer}`)
      expect(failed(claims[2]!)).toEqual(['PRV-PROP-05'])
      // The range is that of the aggregate, and its signature fits.
      expect(claims[6]!.summary).toContain('fits the specified journal')
      expect(failed(claims[6]!)).toContain('PRV-RES-03')
    },
  )

  test('when that of the first is before the range, then the aggregate fits all the same', async () => {
    const { proposals, aggregate_proposal } = await answer()
    const claimed = proposals.with(0, { ...proposals[0]!, l2_block_number: 990 })
    const { claims } = await auditOf({ proposals: claimed, aggregate_proposal })
    expect(claims[0]!.summary).toContain('l2_block_number as 1001, not 990')
    expect(claims[6]!.summary).toContain('fits the specified journal')
  })

  test.each([
    ['one too many', 1007],
    ['two too many', 1008],
    ['far off', 700_000],
    ['within the range', 1004],
  ])(
    'when that of the aggregate is %s, then the right one is named (PRV-PROP-05)',
    async (_, wrong) => {
      const { proposals, aggregate_proposal } = await answer()
      const claimed = { ...aggregate_proposal, l2_block_number: wrong }
      const { claims } = await auditOf({ proposals, aggregate_proposal: claimed })
      expect(claims[6]!.summary).toContain(`l2_block_number as 1006, not ${wrong}`)
      expect(failed(claims[6]!)).toEqual(['PRV-PROP-05'])
      for (const claim of claims.slice(0, 6)) expect(claim.verdict).toBe('pass')
    },
  )

  test('when the start that was asked for is another, then the right one is named (JRN-14)', async () => {
    const { claims } = await auditOf(await answer(), { proposer, startingL2Block: 7n })
    expect(claims[6]!.summary).toContain('startingL2Block as 1000, not 7')
    expect(failed(claims[6]!)).toEqual(['JRN-14'])
  })

  test('when many blocks have no proposal, then they are told as one run (PRV-RES-03)', async () => {
    const { proposals, aggregate_proposal } = await answer({ at: 6, changes: () => '0x12' })
    const claimed = { ...aggregate_proposal, l2_block_number: 5000 }
    const { claims } = await auditOf({ proposals, aggregate_proposal: claimed })
    const missing = claims[6]!.checks.filter(({ rule }) => rule === 'PRV-RES-03')
    expect(missing).toMatchObject([{ says: 'there is no proposal of the blocks 1007 to 5000' }])
  })
})

describe('given the bytes of a journal and a signature over others', () => {
  /** The journal of blocks 1001 to 1006 without roots, in the order of tee-prover.md, "Signed journal". */
  const pack = (start: number, end: number) =>
    concatHex([
      ...[proposer, l1Origin, roots[0]!, numberToHex(start, { size: 8 })],
      ...[roots[6]!, numberToHex(end, { size: 8 }), configHash, teeImageHash],
    ])
  test.each<[string, number, number, string, string[]]>([
    ['where it starts', 300, 1006, 'startingL2Block as 1000, not 300', ['JRN-06']],
    ['where it ends', 1000, 2600, 'endingL2Block as 1006, not 2600', ['JRN-08']],
    [
      'both',
      2800,
      2806,
      'startingL2Block and endingL2Block as 1000 and 1006, not 2800 and 2806',
      ['JRN-06', 'JRN-08'],
    ],
  ])(
    'when %s was another, then the field and its value are named',
    async (_, from, to, says, rules) => {
      const { r, s, yParity } = await sign({ hash: keccak256(pack(1000, 1006)), privateKey })
      const signature = concatHex([r, s, numberToHex(yParity!, { size: 1 })])
      const { claims } = await auditInput(
        { bytes: hexToBytes(pack(from, to)) },
        { known: {}, signers: [signer], signature, triesBytes: true },
      )
      expect(claims[0]!.summary).toContain(says)
      expect(failed(claims[0]!)).toEqual(rules)
    },
  )
})

describe('given a signature that is right but for its place or its last byte', () => {
  const flipped = (signature: Hex): Hex =>
    `${signature.slice(0, -2)}${signature.endsWith('0') ? '01' : '00'}` as Hex
  type Answer = Awaited<ReturnType<typeof answer>>
  const listed = ({ proposals, aggregate_proposal }: Answer) => [...proposals, aggregate_proposal]
  const unlisted = (all: Answer['proposals']) => ({
    proposals: all.slice(0, -1),
    aggregate_proposal: all.at(-1)!,
  })

  test.each([2, 6])(
    'when the recovery id of claim %i is flipped, then that is said (SIG-04)',
    async (at) => {
      const all = listed(await answer())
      const { signature } = all[at]!
      const { claims } = await auditOf(
        unlisted(all.with(at, { ...all[at]!, signature: flipped(signature) })),
      )
      const right = Number(signature.slice(-1))
      expect(claims[at]!.summary).toContain(
        `a flipped recovery id (v is ${1 - right}, ${right} fits)`,
      )
      expect(claims[at]!.signer).toBe(signer)
      expect(failed(claims[at]!)).toEqual(['SIG-04'])
      expect(claims.filter(({ verdict }) => verdict === 'pass')).toHaveLength(6)
    },
  )

  test('when v is no recovery id, then the one that fits is named (SIG-04)', async () => {
    const all = listed(await answer())
    const { signature } = all[1]!
    const wrong = `${signature.slice(0, -2)}05` as Hex
    const { claims } = await auditOf(unlisted(all.with(1, { ...all[1]!, signature: wrong })))
    expect(claims[1]!.summary).toContain(`v as ${Number(signature.slice(-1))} (it is 5,`)
    expect(failed(claims[1]!)).toEqual(['SIG-04'])
  })

  test('when two answers of one block differ in v alone, then nobody is taken for the signer', async () => {
    const { proposals } = await answer()
    const [only] = proposals
    const other = { ...only!, signature: flipped(only!.signature) }
    const Tee = { proposals: [only], aggregate_proposal: other }
    const known = { proposer, teeImageHash, interval: 2n }
    const { claims } = await auditInput({ json: { Tee } }, { known, signers: [] })
    for (const { summary } of claims) expect(summary).toContain('without a known signer')
  })

  const NAMES = [
    ...Array.from({ length: 6 }, (_, index) => `proposals[${index}]`),
    'aggregate_proposal',
  ]
  test.each([
    [1, 4],
    [0, 1],
    [2, 6],
  ])('when those of claims %i and %i are swapped, then each is named', async (one, two) => {
    const all = listed(await answer())
    const swapped = all
      .with(one, { ...all[one]!, signature: all[two]!.signature })
      .with(two, { ...all[two]!, signature: all[one]!.signature })
    for (const interval of [2n, undefined]) {
      const known = { proposer, teeImageHash, ...(interval && { interval }) }
      const json = { Tee: unlisted(swapped) }
      const { claims } = await auditInput({ json }, { known, signers: [] })
      const says = (other: number) =>
        `has the signature of ${NAMES[other]}, none of its own; signed by ${signer}`
      expect(claims[one]!.summary).toBe(`${NAMES[one]}: ${says(two)}`)
      expect(claims[two]!.summary).toBe(`${NAMES[two]}: ${says(one)}`)
      expect(failed(claims[one]!)).toEqual(['SIG-03'])
      expect(claims.filter(({ verdict }) => verdict === 'pass')).toHaveLength(5)
    }
  })

  test('when the only two blocks have each other’s, then the signer is found all the same', async () => {
    const [one, two] = (await answer()).proposals
    const Tee = {
      proposals: [
        { ...one!, signature: two!.signature },
        { ...two!, signature: one!.signature },
      ],
      aggregate_proposal: (await answer()).aggregate_proposal,
    }
    const known = { proposer, teeImageHash, interval: 2n }
    const { claims } = await auditInput({ json: { Tee } }, { known, signers: [] })
    expect(claims[0]!.summary).toBe(
      `proposals[0]: has the signature of proposals[1], none of its own; signed by ${signer}`,
    )
  })
})

describe('given an aggregate and another interval, or none', () => {
  const withInterval = (Tee: unknown, interval?: bigint) =>
    auditInput(
      { json: { Tee } },
      { known: { proposer, teeImageHash, ...(interval && { interval }) }, signers: [signer] },
    )

  test.each([
    [3n, ['JRN-15', 'JRN-16']],
    // 6 / 4 and 6 / 5 are one root each, 6 / 2 are three.
    [4n, ['JRN-15', 'JRN-16']],
  ])('when %i was given and 2 was signed, then 2 is named', async (interval, rules) => {
    const { claims } = await withInterval(await answer(), interval)
    expect(claims[6]!.summary).toContain(`intermediate roots at interval 2, not ${interval}`)
    expect(failed(claims[6]!)).toEqual(rules)
  })

  test('when 4 was given and 5 was signed, then as many roots are the wrong ones (JRN-16)', async () => {
    const Tee = await answer({ at: 6, signs: () => ({ inner: [roots[5]!] }) })
    const { claims } = await withInterval(Tee, 4n)
    expect(claims[6]!.summary).toContain('intermediate roots at interval 5, not 4')
    expect(failed(claims[6]!)).toEqual(['JRN-16'])
  })

  test('when a field of it was signed otherwise, then both the interval and the field are named', async () => {
    const Tee = await answer({ at: 6, signs: () => ({ config: l1Origin }) })
    const { claims } = await withInterval(Tee)
    expect(claims[6]!.summary).toContain('intermediate roots at interval 2')
    expect(claims[6]!.summary).toContain('configHash as l1OriginHash of proposals[0]')
    expect(failed(claims[6]!)).toEqual(['JRN-10'])
  })

  test('when none fits, then the interval is asked for before it is called forged', async () => {
    const Tee = await answer({ at: 6, changes: () => '0x12' })
    const { claims, notes } = await withInterval(Tee)
    expect(claims[6]).toMatchObject({
      verdict: 'unknown',
      summary: expect.stringContaining('the interval of its intermediate roots is not known'),
    })
    expect(notes).toContain(
      'None of the intervals that were tried fits the aggregate: give --interval.',
    )
    const given = await withInterval(Tee, 2n)
    expect(failed(given.claims[6]!)).toEqual(['SIG-05'])
  })

  test('when the range is long and the interval is none of the usual ones, then it is found', async () => {
    const all = Array.from({ length: 131 }, (_, index) => keccak256(numberToHex(index)))
    const right = honest(0, 130, [all[70]!])
    const same = (journal: Hex) => journal
    const aggregate_proposal = await proposal({ ...right, root: all[130]! }, same)
    const proposals = await Promise.all(
      all.slice(1).map((root, index) => {
        const block = honest(0, 1, [])
        const start = 1000 + index
        return proposal({ ...block, start, end: start + 1, prev: all[index]!, root }, same)
      }),
    )
    const { claims } = await withInterval({ proposals, aggregate_proposal })
    expect(claims.at(-1)).toMatchObject({
      verdict: 'pass',
      summary: expect.stringContaining('intermediate roots at interval 70'),
    })
  })
})

test('given an answer for another proposer than was given, then it says that forgery is seldom so whole', async () => {
  const known = { proposer: `0x${'ab'.repeat(20)}` as Hex, teeImageHash, interval: 2n }
  const json = { Tee: await answer() }
  const { verdict, notes } = await auditInput({ json }, { known, signers: [signer] })
  expect(verdict).toBe('fail')
  expect(notes.join()).toContain('another proposer, in another image, or by another signer')
})

test('given a true answer without its proposer, then nobody is blamed', async () => {
  const { verdict, claims } = await auditOf(await answer(), {})
  expect(verdict).toBe('unknown')
  expect(claims[0]!.summary).toContain('cannot be judged: proposer is not known')
})
