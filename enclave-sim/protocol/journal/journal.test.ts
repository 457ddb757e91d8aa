import fc from 'fast-check'
import { bytesToHex, encodePacked, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeJournal } from './decode-journal.ts'
import { encodeJournal } from './encode-journal.ts'
import type { Journal } from './journal.ts'
import { byteMap, type JournalLayout, journalLayouts, packedLayout } from './layouts.ts'

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => bytesToHex(bytes))
const hash = hex(32)
const uint64 = fc.bigInt(0n, (1n << 64n) - 1n)
const journals: fc.Arbitrary<Journal> = fc.record({
  proposer: hex(20),
  l1OriginHash: hash,
  prevOutputRoot: hash,
  startingL2Block: uint64,
  outputRoot: hash,
  endingL2Block: uint64,
  intermediateRoots: fc.array(hash, { maxLength: 12 }),
  configHash: hash,
  teeImageHash: hash,
  scheduleId: hash,
})

const [, wide, scheduled] = journalLayouts as [JournalLayout, JournalLayout, JournalLayout]

/** The same bytes by Solidity's abi.encodePacked, as viem does it. */
function packed(journal: Journal, number: 'uint64' | 'uint256', tail: boolean) {
  const roots = journal.intermediateRoots
  return encodePacked(
    [
      'address',
      'bytes32',
      'bytes32',
      number,
      'bytes32',
      number,
      ...roots.map(() => 'bytes32' as const),
      'bytes32',
      'bytes32',
      ...(tail ? (['bytes32'] as const) : []),
    ],
    [
      journal.proposer,
      journal.l1OriginHash,
      journal.prevOutputRoot,
      journal.startingL2Block,
      journal.outputRoot,
      journal.endingL2Block,
      ...roots,
      journal.configHash,
      journal.teeImageHash,
      ...(tail ? [journal.scheduleId] : []),
    ] as never,
  )
}

describe('a journal', () => {
  test.each([
    ['packed', packedLayout, 196, 'uint64', false],
    ['uint256-block-numbers', wide, 244, 'uint256', false],
    ['schedule-id', scheduled, 228, 'uint64', true],
  ] as const)(
    'given layout %s, then it is abi.encodePacked and comes back (JRN-01, JRN-02)',
    (name, layout, size, number, tail) => {
      expect(layout.name).toBe(name)
      fc.assert(
        fc.property(journals, ({ scheduleId, ...rest }) => {
          const journal = tail ? { ...rest, scheduleId: scheduleId! } : rest
          const encoded = encodeJournal(journal, layout)
          expect(bytesToHex(encoded)).toBe(packed(journal, number, tail))
          expect(encoded.length).toBe(size + 32 * journal.intermediateRoots.length)
          expect(decodeJournal(encoded, layout)).toEqual(journal)
        }),
      )
    },
  )

  test('given the packed layout, then the fields stand where the specification puts them (JRN-03..11)', () => {
    expect(byteMap(packedLayout, 2)).toEqual([
      { field: 'proposer', offset: 0, size: 20 },
      { field: 'l1OriginHash', offset: 20, size: 32 },
      { field: 'prevOutputRoot', offset: 52, size: 32 },
      { field: 'startingL2Block', offset: 84, size: 8 },
      { field: 'outputRoot', offset: 92, size: 32 },
      { field: 'endingL2Block', offset: 124, size: 8 },
      { field: 'intermediateRoots[0]', offset: 132, size: 32 },
      { field: 'intermediateRoots[1]', offset: 164, size: 32 },
      { field: 'configHash', offset: 196, size: 32 },
      { field: 'teeImageHash', offset: 228, size: 32 },
    ])
  })

  test.each([0, 195, 197, 227, 229])('given %d bytes, then they are refused', (length) => {
    expect(() => decodeJournal(new Uint8Array(length))).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_INVALID',
        message: `journal: ${length} bytes are no packed journal`,
        hint: "Valid ones, as bytes and as JSON, are in rollbed's fixtures/vectors/journal.json.",
      }),
    )
  })

  const journal = fc.sample(journals, 1)[0]!
  test.each([
    ['a short root', { intermediateRoots: ['0x12'] }, 'intermediateRoots has 1 bytes'],
    ['a negative number', { startingL2Block: -1n }, 'does not fit'],
    ['a number above u64', { endingL2Block: 1n << 64n }, 'does not fit'],
  ] as [string, Partial<Journal>, string][])(
    'given %s, then it is not encoded',
    (_what, change, message) => {
      expect(() => encodeJournal({ ...journal, ...change })).toThrow(message)
    },
  )

  test('given no schedule, then it is not encoded in the layout that has one', () => {
    const { scheduleId: _, ...rest } = journal
    expect(() => encodeJournal(rest, scheduled)).toThrow('scheduleId is missing')
  })
})

describe('the journal that base/base tests with', () => {
  const of = (digit: string) => `0x${digit.repeat(64)}` as const
  const input: Journal = {
    proposer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    l1OriginHash: of('2'),
    prevOutputRoot: of('3'),
    startingL2Block: 999n,
    outputRoot: of('4'),
    endingL2Block: 1000n,
    intermediateRoots: [],
    configHash: of('1'),
    teeImageHash: of('5'),
    scheduleId: of('6'),
  }

  // Worked out by rollbed's authors with @noble/hashes from the layout; upstream publishes no golden of 228 bytes.
  test.each([
    [
      'without a schedule',
      packedLayout,
      [],
      'cd01d51a9d161a54953e3aeabfb681f13c15479f6d900fd81c9240d424592b56',
    ],
    ['with one', scheduled, [], '8369af15c96865dd202cb4e23880d77f63de4e21d55cf3d3dcb9ff9cad822f1e'],
    [
      'with one and two roots',
      scheduled,
      [of('a'), of('4')],
      'fc253600bee9221063a92cddd077ed8f7aa54c30a88f5d1d9419a34a44dcfb54',
    ],
  ] as const)('given it %s, then its hash is known', (_, layout, intermediateRoots, hash) => {
    const encoded = encodeJournal({ ...input, intermediateRoots: [...intermediateRoots] }, layout)
    expect(keccak256(encoded)).toBe(`0x${hash}`)
  })
})
