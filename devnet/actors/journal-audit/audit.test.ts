import {
  concatHex,
  encodeFunctionData,
  encodePacked,
  type Hex,
  hashMessage,
  hexToBytes,
  keccak256,
  numberToHex,
  sha256,
  slice,
} from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { l1Client } from '../l1-client.ts'
import type { Audit } from './audit.ts'
import { auditInput } from './audit-input.ts'
import { auditPage } from './audit-page.ts'
import { describeAudit } from './describe-audit.ts'

const privateKey = keccak256('0xe1')
const signer = privateKeyToAddress(privateKey).toLowerCase() as Hex
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const proposer: Hex = `0x${'f3'.repeat(20)}`
const teeImageHash = word('1a')
const configHash = word('c0')
const l1Origin = word('22')
const roots = Array.from({ length: 7 }, (_, index) => numberToHex(0xb0 + index, { size: 32 }))
const start = 1000n

interface Fields {
  start: bigint
  end: bigint
  from: Hex
  to: Hex
  roots: Hex[]
  image: Hex
}

/** The packed journal by viem, with numbers of a given size. */
function pack({ start: first, end, from, to, roots: inner, image }: Fields, size = 8): Hex {
  const number = (value: bigint) => numberToHex(value, { size })
  return concatHex([
    encodePacked(['address', 'bytes32', 'bytes32'], [proposer, l1Origin, from]),
    number(first),
    to,
    number(end),
    ...inner,
    configHash,
    image,
  ])
}

/** A number whose big-endian bytes are those of another in little endian. */
const swap = (number: bigint) =>
  BigInt(
    `0x${Buffer.from(numberToHex(number, { size: 8 }).slice(2), 'hex')
      .reverse()
      .toString('hex')}`,
  )

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key over the same hash: s and v mirrored. */
const upperHalf = (plain: Hex): Hex =>
  concatHex([
    slice(plain, 0, 32),
    numberToHex(ORDER - BigInt(slice(plain, 32, 64)), { size: 32 }),
    slice(plain, 64) === '0x00' ? '0x01' : '0x00',
  ])

/** How a made-up enclave goes about it. */
interface Enclave {
  /** What every proposal tells beside its signature. */
  scheduleId?: Hex
  pack?: (fields: Fields) => Hex
  digest?: (journal: Hex) => Hex
  form?: (signature: Hex) => Hex
  sampled?: (all: readonly Hex[]) => Hex[]
  image?: Hex
  startShift?: bigint
}

/** An answer to a request for blocks 1001 to 1006 at interval 2. */
async function proofResult(enclave: Enclave = {}, blocks = 6) {
  const image = enclave.image ?? teeImageHash
  const proposal = async (from: number, to: number, inner: Hex[]) => {
    const fields: Fields = {
      start: start + BigInt(from) + (enclave.startShift ?? 0n),
      end: start + BigInt(to),
      from: roots[from]!,
      to: roots[to]!,
      roots: inner,
      image,
    }
    const journal = (enclave.pack ?? pack)(fields)
    const signed = await sign({ hash: (enclave.digest ?? keccak256)(journal), privateKey })
    const plain = concatHex([signed.r, signed.s, numberToHex(signed.yParity!, { size: 1 })])
    return {
      output_root: fields.to,
      signature: enclave.form?.(plain) ?? plain,
      l1_origin_hash: l1Origin,
      l1_origin_number: 100,
      l2_block_number: Number(fields.end),
      prev_output_root: fields.from,
      config_hash: configHash,
      ...(enclave.scheduleId && { schedule_id: enclave.scheduleId }),
    }
  }
  const every = roots.slice(1, blocks + 1)
  const sampled = enclave.sampled ?? ((all) => all.filter((_, index) => index % 2 === 1))
  return {
    Tee: {
      aggregate_proposal: await proposal(0, blocks, sampled(every)),
      proposals: await Promise.all(every.map((_, index) => proposal(index, index + 1, []))),
    },
  }
}

const known = { proposer, teeImageHash, interval: 2n }
const auditOf = (json: unknown, options: Partial<Parameters<typeof auditInput>[1]> = {}) =>
  auditInput({ json }, { known, signers: [], ...options })
const failed = ({ claims }: Audit) => [
  ...new Set(
    claims.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule),
    ),
  ),
]

describe('auditing a ProofResult that tells the id of a schedule', () => {
  // Base mainnet since Beryl. Source: base/contracts, test/L1/ProtocolVersions.t.sol.
  const scheduleId = '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2'
  const named = (fields: Fields) => concatHex([pack(fields), scheduleId])

  test('given journals that end with it, then they are as asked for, and the id is named', async () => {
    const audit = await auditOf(await proofResult({ scheduleId, pack: named }))
    expect(audit.verdict).toBe('pass')
    const says = "Base mainnet's, of what holds since Beryl"
    expect(audit.claims.at(-1)).toMatchObject({
      signer,
      departures: [],
      schedule: { id: scheduleId, says },
      layout: `packed, and the id of a schedule, 228 + 32·N bytes: ${says}`,
      summary: `aggregate_proposal: fits the scheduled journal of 324 bytes; signed by ${signer}`,
    })
  })

  test('given journals without it, or with that of another schedule, then that is what they do otherwise', async () => {
    const without = await auditOf(await proofResult({ scheduleId }))
    expect(failed(without)).toEqual(['JRN-02', 'JRN-11'])
    expect(without.claims[0]!.departures).toEqual(['no schedule id at the end, 196 + 32·N bytes'])
    const unknown: Hex = `0x${'66'.repeat(32)}`
    const other = await auditOf(await proofResult({ scheduleId: unknown, pack: named }))
    expect(failed(other)).toEqual(['JRN-02', 'JRN-11'])
    expect(other.claims[0]!.departures).toEqual([
      'another schedule id at the end: of what holds since Beryl',
    ])
  })
})

describe('auditing a ProofResult', () => {
  test('given a good one, then every rule passes and the signer comes from the signatures', async () => {
    const audit = await auditOf(await proofResult())
    expect(audit.verdict).toBe('pass')
    expect(audit.claims).toHaveLength(7)
    expect(audit.claims.at(-1)).toMatchObject({
      name: 'aggregate_proposal',
      signer,
      departures: [],
      summary: `aggregate_proposal: fits the specified journal of 292 bytes; signed by ${signer}`,
    })
    const rules = audit.claims.at(-1)!.checks.map(({ rule }) => rule)
    expect(rules).toEqual(
      expect.arrayContaining(['JRN-02', 'JRN-16', 'SIG-03', 'SIG-04', 'SIG-05']),
    )
  })

  test('given its byte map, then it covers the journal from end to end', async () => {
    const { claims } = await auditOf(await proofResult())
    for (const { bytes, fields } of claims) {
      expect(concatHex(fields.map((field) => field.bytes))).toBe(bytes)
      let offset = 0
      for (const field of fields) {
        expect(field.offset).toBe(offset)
        offset += field.size
      }
    }
  })

  // https://github.com/base/base/issues/1759: the contract packed 196 bytes, the prover still 244.
  test('given block numbers in 32 bytes (base/base#1759), then one line names the layout', async () => {
    const answer = await proofResult({ pack: (fields) => pack(fields, 32) })
    const audit = await auditOf(answer)
    expect(audit.claims[0]!.summary).toBe(
      `proposals[0]: fits a journal of 244 bytes with block numbers as 32-byte words, 244 + 32·N bytes (Base until May 2026, base/base#1759), not the specified one; signed by ${signer}`,
    )
    expect(failed(audit)).toEqual(['JRN-02', 'JRN-06', 'JRN-08'])
  })

  test.each<[string, Enclave, string, string[]]>([
    [
      'a schedule id',
      { pack: (fields) => concatHex([pack(fields), word('00')]) },
      'a schedule id at the end',
      ['JRN-02', 'JRN-11'],
    ],
    [
      'the schedule id of Base mainnet since Beryl',
      {
        pack: (fields) =>
          // base/contracts, test/L1/ProtocolVersions.t.sol.
          concatHex([
            pack(fields),
            '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2',
          ]),
      },
      "a schedule id at the end, 228 + 32·N bytes: Base mainnet's, of what holds since Beryl",
      ['JRN-02', 'JRN-11'],
    ],
    ['every root', { sampled: (all) => [...all] }, 'the root of every block', ['JRN-16']],
    ['no roots', { sampled: () => [] }, 'no intermediate roots', ['JRN-15']],
    [
      'a start one too high',
      { startShift: 1n },
      'startingL2Block is the first block of the range',
      ['JRN-13', 'JRN-14'],
    ],
    ['sha256', { digest: sha256 }, 'sha256 instead of keccak256', ['SIG-03']],
    [
      'a personal message',
      { digest: (journal) => hashMessage({ raw: keccak256(journal) }) },
      'signed as a personal message of its hash (EIP-191)',
      ['SIG-03'],
    ],
    [
      'a personal message of the whole journal',
      { digest: (journal) => hashMessage({ raw: journal }) },
      'signed as a personal message of the journal (EIP-191)',
      ['SIG-03'],
    ],
    [
      'an enclave in local mode',
      { image: word('00') },
      'teeImageHash is zero (local mode)',
      ['JRN-17', 'JRN-19'],
    ],
    [
      'v first',
      { form: (plain) => concatHex([slice(plain, 64), slice(plain, 0, 64)]) },
      'v before r and s',
      ['SIG-02'],
    ],
    [
      'two mistakes at once',
      { pack: (fields) => pack(fields, 32), digest: sha256 },
      'block numbers as 32-byte words, 244 + 32·N bytes (Base until May 2026, base/base#1759) and sha256 instead of keccak256',
      ['JRN-02', 'JRN-06', 'JRN-08', 'SIG-03'],
    ],
  ])('given %s, then it is named and only its rules fail', async (_name, enclave, says, rules) => {
    const audit = await auditOf(await proofResult(enclave))
    const { summary } = audit.claims.at(-1)!
    expect(summary).toContain(says)
    expect(summary).toContain(`signed by ${signer}`)
    expect(failed(audit)).toEqual(expect.arrayContaining(rules))
    expect(failed(audit).filter((rule) => !rules.includes(rule) && rule !== 'SIG-04')).toEqual([])
  })

  // fixtures/rules/rules.yaml, OPEN-50 to OPEN-55: each a reading that the two documents allow.
  test.each<[string, Enclave, bigint, string, string]>([
    [
      'N as last block / interval, zeros for blocks before the range',
      // 1006 / 2 roots, of which the range holds three.
      { sampled: (all) => [...Array(500).fill(word('00')), all[1]!, all[3]!, all[5]!] },
      2n,
      'OPEN-50',
      'N as last block / interval, the words of JRN-15 (OPEN-50), zeros before the range',
    ],
    [
      'samples at multiples of the interval',
      // Blocks 1002 and 1005 of 1001 to 1006: 334 and 335 times three.
      { sampled: (all) => [all[1]!, all[4]!] },
      3n,
      'OPEN-50',
      'roots sampled at multiples of the interval',
    ],
    [
      'the last block as a closing sample',
      { sampled: (all) => [all[3]!, all[5]!] },
      4n,
      'OPEN-50',
      'the last output root added to the intermediate ones',
    ],
    [
      'inner blocks alone',
      { sampled: (all) => [all[1]!, all[3]!] },
      2n,
      'OPEN-51',
      'the last intermediate root left out',
    ],
    [
      'numbers in little endian',
      { pack: (fields) => pack({ ...fields, start: swap(fields.start), end: swap(fields.end) }) },
      2n,
      'OPEN-54',
      'block numbers in little endian',
    ],
    ['s in the upper half', { form: upperHalf }, 2n, 'OPEN-55', 's is in the upper half'],
  ])(
    'given %s, then the reading is named and no rule is broken',
    async (_name, enclave, interval, open, says) => {
      const audit = await auditOf(await proofResult(enclave), { known: { ...known, interval } })
      expect(failed(audit)).toEqual([])
      expect(audit.verdict).toBe('pass')
      const { layout, departures, readings } = audit.claims.at(-1)!
      expect(readings).toEqual([{ open, says: expect.stringContaining(says) }])
      expect(departures).toEqual([])
      expect(layout).toContain('packed')
      expect(describeAudit(audit)).toMatch(
        new RegExp(
          `Open points, read otherwise than here.*\n  ${open}  .+rules\\.md#${open.toLowerCase()}`,
        ),
      )
      expect(auditPage(audit)).toContain(`<dt id="${open.toLowerCase()}">`)
    },
  )

  test.each<[string, Enclave, bigint]>([
    [
      'the last sample left out of a range that the interval does not divide',
      { sampled: () => [] },
      4n,
    ],
    ['the last root twice', { sampled: (all) => [all[1]!, all[3]!, all[5]!, all[5]!] }, 2n],
  ])('given %s, then no reading allows it (JRN-15)', async (_name, enclave, interval) => {
    const audit = await auditOf(await proofResult(enclave), { known: { ...known, interval } })
    expect(failed(audit)).toEqual(['JRN-15'])
  })

  test('given one block whose aggregate has a root by the formula, then the reading is named (OPEN-53)', async () => {
    const answer = await proofResult({ sampled: (all) => [...all] }, 1)
    const audit = await auditOf(answer, { known: { ...known, interval: 1n } })
    expect(audit.verdict).toBe('pass')
    expect(audit.claims.at(-1)!.readings).toMatchObject([{ open: 'OPEN-53' }])
    expect(failed(await auditOf(answer))).toEqual(['JRN-12'])
  })

  test('given v as 27 or 28, then one rule alone fails (SIG-04)', async () => {
    const raised = (plain: Hex) =>
      concatHex([slice(plain, 0, 64), slice(plain, 64) === '0x00' ? '0x1b' : '0x1c'])
    const audit = await auditOf(await proofResult({ form: raised }))
    expect(failed(audit)).toEqual(['SIG-04'])
  })

  test('given no interval, then the one that was used is found', async () => {
    const audit = await auditOf(await proofResult(), { known: { proposer, teeImageHash } })
    expect(audit.verdict).toBe('pass')
    expect(audit.claims.at(-1)!.summary).toContain('intermediate roots at interval 2')
  })

  test('given no proposer, then it cannot say, and says what is missing', async () => {
    const audit = await auditOf(await proofResult(), { known: { teeImageHash, interval: 2n } })
    expect(audit.verdict).toBe('unknown')
    expect(audit.claims[0]!.summary).toContain('cannot be judged: proposer is not known')
    expect(audit.notes).toContain('proposer is not known, zeros stand in: give --proposer.')
    expect(audit.claims[0]!.fields.filter(({ assumed }) => assumed)).toMatchObject([
      { field: 'proposer' },
    ])
  })

  test('given another signer than the one expected, then nothing fits', async () => {
    const audit = await auditOf(await proofResult(), { signers: [proposer] })
    expect(audit.verdict).toBe('fail')
    expect(audit.claims[0]!.summary).toContain(`recovers to ${signer}, which is no known signer`)
  })

  test('given one tampered signature, then that claim alone fails', async () => {
    const answer = await proofResult()
    const broken = answer.Tee.proposals[2]!
    broken.output_root = word('ee')
    const { claims } = await auditOf(answer)
    const verdicts = claims.map(({ name, verdict }) => `${name} ${verdict}`)
    // The aggregate samples other blocks.
    expect(verdicts.filter((each) => !each.endsWith('pass'))).toEqual(['proposals[2] fail'])
  })

  test('given the answer of the RPC around it, then it is read all the same', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: await proofResult() }
    expect(await auditOf(answer)).toMatchObject({ verdict: 'pass' })
  })

  test.each([
    ['a ZK proof', { Zk: { proof_bytes: [1] } }],
    ['an empty one', { Tee: { aggregate_proposal: {}, proposals: [] } }],
    ['nothing', null],
  ])('given %s, then it is refused by name', async (_name, json) => {
    await expect(auditOf(json)).rejects.toMatchObject({ code: 'PROOF_RESULT_INVALID' })
  })
})

describe('what lies outside the signed bytes', () => {
  const at = (number: number | undefined) =>
    l1Client({
      request: async (_, [hash]) =>
        number === undefined || hash !== l1Origin ? null : { hash, number: numberToHex(number) },
    })
  const heads = (audit: Audit) =>
    audit.claims.map(({ checks }) => checks.filter(({ rule }) => rule.startsWith('PRV-PROP-')))

  test('given no L1, then the number of the L1 head is named as unchecked', async () => {
    const audit = await auditOf(await proofResult())
    expect(audit.verdict).toBe('pass')
    expect(audit.notes).toEqual([
      "Not in the signed bytes and not checked: the number of the L1 head, 100. Give --l1 to hold it against the head's header.",
    ])
  })

  test('given no L1 and one head with two numbers, then it is refused all the same (PRV-PROP-04)', async () => {
    const answer = await proofResult()
    answer.Tee.proposals[2]!.l1_origin_number = 101
    const audit = await auditOf(answer)
    expect(audit.verdict).toBe('fail')
    expect(failed(audit)).toEqual(['PRV-PROP-04'])
    expect(heads(audit)).toMatchObject([
      [],
      [],
      [
        {
          verdict: 'fail',
          says: 'l1_origin_number as 101: 6 claims with the same L1 head have 100',
        },
      ],
      [],
      [],
      [],
      [],
    ])
  })

  test('given no L1 and one head with two numbers as often as each other, then it says which, and blames each', async () => {
    const answer = await proofResult({}, 1)
    answer.Tee.proposals[0]!.l1_origin_number = 101
    const audit = await auditOf(answer, { signers: [signer] })
    expect(heads(audit).map(([check]) => check!.says)).toEqual(
      Array(2).fill('one L1 head has the numbers 101 and 100'),
    )
  })

  test('given an L1, then the number is held against the header of the head (PRV-PROP-04)', async () => {
    const good = await auditOf(await proofResult(), { l1: at(100) })
    expect(good).toMatchObject({ verdict: 'pass', notes: [] })
    expect(heads(good).flat()).toHaveLength(7)
    const bad = await auditOf(await proofResult(), { l1: at(101) })
    expect(failed(bad)).toEqual(['PRV-PROP-04'])
    expect(heads(bad)[0]![0]!.says).toBe('the L1 head is block 101, not 100')
    const unknown = await auditOf(await proofResult(), { l1: at(undefined) })
    expect(failed(unknown)).toEqual(['PRV-PROP-03'])
  })
})

describe('auditing a journal as bytes', () => {
  const fields: Fields = {
    start,
    end: 1006n,
    from: roots[0]!,
    to: roots[6]!,
    roots: [roots[6]!],
    image: teeImageHash,
  }
  const auditBytes = (journal: Hex, options: Partial<Parameters<typeof auditInput>[1]> = {}) =>
    auditInput({ bytes: hexToBytes(journal) }, { known: {}, signers: [], ...options })
  const signAsEnclave = async (journal: Hex): Promise<Hex> => {
    const signature = await sign({ hash: keccak256(journal), privateKey, to: 'hex' })
    return concatHex([slice(signature, 0, 64), slice(signature, 64) === '0x1b' ? '0x00' : '0x01'])
  }

  test.each<[string, Hex, string]>([
    ['196 bytes', pack({ ...fields, roots: [] }), 'packed, 196 + 32·N bytes'],
    ['228 bytes with a root', pack(fields), 'packed, 196 + 32·N bytes'],
    [
      '228 bytes of one block',
      concatHex([pack({ ...fields, start: 1005n, roots: [] }), word('5c')]),
      'a schedule id at the end, 228 + 32·N bytes (Base from July 2026, base/base#4209)',
    ],
    [
      '244 bytes',
      pack({ ...fields, roots: [] }, 32),
      'block numbers as 32-byte words, 244 + 32·N bytes (Base until May 2026, base/base#1759)',
    ],
  ])('given %s, then it names the layout', async (_name, journal, layout) => {
    const { claims } = await auditBytes(journal)
    expect(claims[0]!.layout).toBe(layout)
    expect(claims[0]!.bytes).toBe(journal)
  })

  test('given values that were asked for, then it names the field that differs', async () => {
    const wanted = { proposer, teeImageHash: word('99') }
    const audit = await auditBytes(pack(fields), { known: wanted })
    expect(failed(audit)).toEqual(['JRN-11'])
  })

  test.each<[string, bigint, Hex[], string, string]>([
    [
      'both readings agree',
      0n,
      [roots[2]!, roots[4]!, roots[6]!],
      'pass',
      '6 blocks / interval 2 is N = 3, as last block / interval is',
    ],
    [
      'it is by the range',
      1000n,
      [roots[2]!, roots[4]!, roots[6]!],
      'pass',
      '6 blocks / interval 2 is N = 3, the chosen reading (OPEN-50)',
    ],
    [
      'it is neither',
      1000n,
      [roots[1]!],
      'fail',
      'N is 1; 6 blocks / interval 2 is N = 3, the chosen reading (OPEN-50); last block 1006 / interval 2 is N = 503',
    ],
  ])(
    'given an interval, when N is counted and %s, then it says so (JRN-15)',
    async (_, first, inner, verdict, says) => {
      const journal = pack({ ...fields, start: first, end: first + 6n, roots: inner })
      const { claims } = await auditBytes(journal, { known: { interval: 2n } })
      const counted = claims[0]!.checks.filter(({ rule }) => rule === 'JRN-15')
      expect(counted).toEqual([{ rule: 'JRN-15', verdict, says }])
    },
  )

  // tee-prover.md, "Signed journal", rule 2: N equals last block divided by interval.
  test.each<[string, bigint, bigint, bigint, number, string, string]>([
    ['9 / 3 = 3 over 7 to 9', 6n, 9n, 3n, 3, 'OPEN-50', 'last block 9 / interval 3 is N = 3'],
    ['12 / 2 = 6 over 7 to 12', 6n, 12n, 2n, 6, 'OPEN-50', 'last block 12 / interval 2 is N = 6'],
    ['9 / 3 = 3 of block 9 alone', 8n, 9n, 3n, 3, 'OPEN-53', 'a block by itself'],
    ['the multiples of 3 from 5 to 9', 4n, 9n, 3n, 2, 'OPEN-50', 'multiples of the interval'],
    ['inner blocks alone', 6n, 12n, 2n, 2, 'OPEN-51', 'left out'],
  ])(
    'given N by %s, then the reading is named and the rule holds (JRN-15)',
    async (_, first, end, interval, count, open, says) => {
      const journal = pack({ ...fields, start: first, end, roots: roots.slice(0, count) })
      const audit = await auditBytes(journal, { known: { interval } })
      expect(audit.verdict).toBe('pass')
      const [claim] = audit.claims
      expect(claim!.layout).toBe('packed, 196 + 32·N bytes')
      const counted = claim!.checks.filter(({ rule }) => rule === 'JRN-15')
      expect(counted).toMatchObject([
        { verdict: 'pass', open, says: expect.stringContaining(says) },
      ])
      expect(describeAudit(audit)).not.toContain('do not hold')
    },
  )

  test('given numbers in little endian, then they are read so and named (OPEN-54)', async () => {
    const journal = pack({ ...fields, start: swap(255n), end: swap(256n), roots: [] })
    const audit = await auditBytes(journal)
    expect(audit).toMatchObject({
      verdict: 'pass',
      claims: [
        { layout: 'packed with block numbers in little endian', readings: [{ open: 'OPEN-54' }] },
      ],
    })
  })

  // tee-prover.md, "Signed journal": 196 + 32·N bytes, so that 228 are one root before anything else.
  test('given 228 bytes of one block with its own root, then nothing departs, and the open point is named (OPEN-53)', async () => {
    const audit = await auditBytes(pack({ ...fields, start: 1005n, roots: [fields.to] }))
    expect(audit).toMatchObject({
      verdict: 'pass',
      claims: [
        { layout: 'packed, 196 + 32·N bytes', departures: [], readings: [{ open: 'OPEN-53' }] },
      ],
    })
  })

  test('given 228 bytes of one block that end with a schedule id, then it is a departure until somebody names the schedule', async () => {
    const id = word('5c')
    const journal = concatHex([pack({ ...fields, start: 1005n, roots: [] }), id])
    const unnamed = await auditBytes(journal)
    expect(failed(unnamed)).toEqual(['JRN-02', 'JRN-11'])
    expect(unnamed.notes.join()).toContain('give --schedule-id')
    const signature = await signAsEnclave(journal)
    const more = { signature, signers: [signer] }
    const asked = await auditBytes(journal, { known: { scheduleId: id }, ...more })
    expect(asked.verdict).toBe('pass')
    expect(asked.claims[0]!.summary).toContain('fits the scheduled journal of 228 bytes')
    const named = await auditBytes(journal, { schedules: [{ id, says: 'of this chain' }], ...more })
    expect(named).toMatchObject({ verdict: 'pass', claims: [{ schedule: { id } }] })
    const other = await auditBytes(journal, { known: { scheduleId: word('5d') }, ...more })
    expect(failed(other)).toContain('JRN-02')
  })

  test('given a signature, then it says who made it', async () => {
    const journal = pack(fields)
    const asEnclave = await signAsEnclave(journal)
    const audit = await auditBytes(journal, { signature: asEnclave, signers: [signer] })
    expect(audit).toMatchObject({ verdict: 'pass', claims: [{ signer }] })
    const unsure = await auditBytes(journal, { signature: asEnclave })
    expect(unsure.verdict).toBe('unknown')
    expect(unsure.claims[0]!.summary).toContain(signer)
  })

  test('given bytes of no known length, then it lists the known ones', async () => {
    await expect(auditBytes('0x1234')).rejects.toThrow('196 + 32·N, 244 + 32·N, 228 + 32·N')
  })

  test('given calldata and an L1, but no contract, then it asks for one instead of leaving L1 out', async () => {
    const data = encodeFunctionData({
      abi: teeVerifierAbi,
      functionName: 'verify',
      args: [concatHex([proposer, `0x${'00'.repeat(65)}`]), word('1a'), word('22')],
    })
    const l1 = l1Client({ request: async () => null })
    await expect(auditBytes(data, { l1 })).rejects.toMatchObject({ code: 'CONTRACT_NEEDED' })
  })

  test('given calldata whose recovery id is flipped, then that is said (SIG-06)', async () => {
    const digest = keccak256(pack(fields))
    const { r, s, yParity } = await sign({ hash: digest, privateKey })
    const [right, flipped] = yParity ? [28, 27] : [27, 28]
    const signature = concatHex([r, s, numberToHex(flipped!, { size: 1 })])
    const data = encodeFunctionData({
      abi: teeVerifierAbi,
      functionName: 'verify',
      args: [concatHex([proposer, signature]), teeImageHash, digest],
    })
    const audit = await auditBytes(data, { signers: [signer] })
    expect(audit.claims[0]!.summary).toContain(
      `a flipped recovery id (v is ${flipped}, ${right} fits)`,
    )
    expect(failed(audit)).toEqual(['SIG-06'])
  })

  test('given 32 bytes and no L1, then it asks for one', async () => {
    await expect(auditBytes(word('12'))).rejects.toMatchObject({ code: 'L1_NEEDED' })
  })
})

describe('telling an audit', () => {
  test('given a terminal, then it gets one line for each claim that passes, and the bytes of one that does not', async () => {
    const answer = await proofResult()
    answer.Tee.proposals[2]!.output_root = word('ee')
    const lines = describeAudit(await auditOf(answer)).split('\n')
    expect(lines.filter((line) => line.startsWith('✓ proposals'))).toHaveLength(5)
    // What was signed, not what is claimed.
    expect(lines).toContain(`       92 +32  outputRoot       ${roots[3]}`)
  })

  test('given rules that do not hold, then they are told in words and where to find them, on the page all of them', async () => {
    const audit = await auditOf(await proofResult({ sampled: () => [] }))
    expect(describeAudit(audit)).toMatch(
      /\nRules that do not hold:\n {2}JRN-15 {2}The aggregate's .+ {2}devnet\/docs\/rules\.md#jrn-15$/,
    )
    const html = auditPage(audit)
    const linked = [...html.matchAll(/<a href="#([a-z]+-[a-z0-9-]+)">[A-Z]/g)].map(([, id]) => id!)
    expect(linked).toContain('jrn-15')
    for (const id of linked) expect(html).toContain(`<dt id="${id}">`)
  })

  test('given text with markup, then the page loads nothing and shows it as text', async () => {
    const audit = await auditOf(await proofResult())
    const html = auditPage({ ...audit, notes: ['<script>alert(1)</script>'] })
    expect(html).not.toContain('<script')
    expect(html).not.toMatch(/ (src|style|on\w+)=|@import|url\(/)
    expect(html).toContain("default-src 'none'")
  })
})
