import fc from 'fast-check'
import { bytesToHex, hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeJournal } from '#protocol/journal/decode-journal'
import { encodeJournal } from '#protocol/journal/encode-journal'
import { type Journal, JournalInvalid } from '#protocol/journal/journal'
import { hash, hexOf, journals, uint64 } from './journal-arbitrary.ts'
import { packByViem } from './pack-by-viem.ts'

/** Offset and size of each field of a journal with `count` roots: the table of the specification. */
const rangeOf = (field: keyof Journal, count: number): [number, number] => {
  const ranges: Record<string, [number, number]> = {
    proposer: [0, 20],
    l1OriginHash: [20, 32],
    prevOutputRoot: [52, 32],
    startingL2Block: [84, 8],
    outputRoot: [92, 32],
    endingL2Block: [124, 8],
    intermediateRoots: [132, 32 * count],
    configHash: [132 + 32 * count, 32],
    teeImageHash: [164 + 32 * count, 32],
  }
  return ranges[field]!
}

/** One field and another value for it. */
const changes: fc.Arbitrary<Partial<Journal>> = fc.oneof(
  hexOf(20).map((proposer) => ({ proposer })),
  hash.map((l1OriginHash) => ({ l1OriginHash })),
  hash.map((prevOutputRoot) => ({ prevOutputRoot })),
  uint64.map((startingL2Block) => ({ startingL2Block })),
  hash.map((outputRoot) => ({ outputRoot })),
  uint64.map((endingL2Block) => ({ endingL2Block })),
  hash.map((configHash) => ({ configHash })),
  hash.map((teeImageHash) => ({ teeImageHash })),
)

describe('packing any journal', () => {
  test('then it is what viem packs, of 196 + 32·N bytes, and comes back (JRN-01, JRN-02)', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const packed = encodeJournal(journal)
        expect(bytesToHex(packed)).toBe(packByViem(journal))
        expect(packed.length).toBe(196 + 32 * journal.intermediateRoots.length)
        expect(decodeJournal(packed)).toEqual(journal)
      }),
    )
  })

  test('given another journal, then the bytes are others', () => {
    fc.assert(
      fc.property(journals, journals, (one, other) => {
        const same = bytesToHex(encodeJournal(one)) === bytesToHex(encodeJournal(other))
        expect(same).toBe(packByViem(one) === packByViem(other))
      }),
    )
  })

  test('given any bytes of a right length, then they are the one journal that packs to them', () => {
    const bytes = fc
      .nat({ max: 6 })
      .chain((count) => fc.uint8Array({ minLength: 196 + 32 * count, maxLength: 196 + 32 * count }))
    fc.assert(
      fc.property(bytes, (packed) => {
        expect(encodeJournal(decodeJournal(packed))).toEqual(packed)
      }),
    )
  })

  test('given a change of one field, then its own bytes change and no others (JRN-03 to JRN-11)', () => {
    fc.assert(
      fc.property(journals, changes, (journal, change) => {
        const [field] = Object.keys(change) as (keyof Journal)[]
        const [offset, size] = rangeOf(field!, journal.intermediateRoots.length)
        const before = encodeJournal(journal)
        const after = encodeJournal({ ...journal, ...change })
        expect(after.subarray(0, offset)).toEqual(before.subarray(0, offset))
        expect(after.subarray(offset + size)).toEqual(before.subarray(offset + size))
        const changed = String(journal[field!]) !== String(change[field!])
        const part = (bytes: Uint8Array) => bytesToHex(bytes.subarray(offset, offset + size))
        expect(part(after) !== part(before)).toBe(changed)
      }),
    )
  })

  test('given another root, then only what comes after it moves (JRN-09, JRN-10)', () => {
    fc.assert(
      fc.property(journals, hash, (journal, root) => {
        const end = 132 + 32 * journal.intermediateRoots.length
        const before = bytesToHex(encodeJournal(journal))
        const roots = [...journal.intermediateRoots, root]
        const after = bytesToHex(encodeJournal({ ...journal, intermediateRoots: roots }))
        expect(after).toBe(
          `${before.slice(0, 2 + 2 * end)}${root.slice(2)}${before.slice(2 + 2 * end)}`,
        )
      }),
    )
  })

  test('given roots, then they keep their order (JRN-16)', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const packed = bytesToHex(encodeJournal(journal))
        const roots = journal.intermediateRoots.map((root) => root.slice(2)).join('')
        expect(packed.slice(2 + 264, 2 + 264 + roots.length)).toBe(roots)
      }),
    )
  })
})

describe('malformed journals', () => {
  const refused = (journal: Journal) => {
    expect(() => encodeJournal(journal)).toThrow(JournalInvalid)
  }
  const wrongHex = (size: number) =>
    fc
      .uint8Array({ maxLength: 2 * size })
      .filter(({ length }) => length !== size)
      .map((bytes) => bytesToHex(bytes))
  const hashes = [
    'l1OriginHash',
    'prevOutputRoot',
    'outputRoot',
    'configHash',
    'teeImageHash',
  ] as const
  const numbers = ['startingL2Block', 'endingL2Block'] as const

  test('given a hash of another size, then it is refused', () => {
    fc.assert(
      fc.property(journals, fc.constantFrom(...hashes), wrongHex(32), (journal, field, hex) =>
        refused({ ...journal, [field]: hex }),
      ),
    )
  })

  test('given a proposer of another size, also one padded to 32 bytes, then it is refused', () => {
    fc.assert(
      fc.property(journals, wrongHex(20), (journal, proposer) => refused({ ...journal, proposer })),
    )
    const [journal] = fc.sample(journals, { numRuns: 1, seed: 1 })
    refused({ ...journal!, proposer: `0x${journal!.proposer.slice(2).padStart(64, '0')}` })
  })

  test('given one root of another size, then it is refused', () => {
    fc.assert(
      fc.property(journals, wrongHex(32), fc.nat(), (journal, root, at) => {
        const roots = [...journal.intermediateRoots]
        roots.splice(at % (roots.length + 1), 0, root)
        refused({ ...journal, intermediateRoots: roots })
      }),
    )
  })

  test('given a number that is negative or above 64 bits, then it is refused', () => {
    const outside = fc.oneof(fc.bigInt(-(1n << 70n), -1n), fc.bigInt(1n << 64n, 1n << 256n))
    fc.assert(
      fc.property(journals, fc.constantFrom(...numbers), outside, (journal, field, value) =>
        refused({ ...journal, [field]: value }),
      ),
    )
  })

  test('given a missing field, then it is refused', () => {
    fc.assert(
      fc.property(
        journals,
        fc.constantFrom(...hashes, ...numbers, 'proposer' as const, 'intermediateRoots' as const),
        (journal, field) => {
          const { [field]: _gone, ...rest } = journal
          refused(rest as Journal)
        },
      ),
    )
  })

  test('given bytes of any other length, then they are refused (JRN-02)', () => {
    const lengths = fc
      .nat({ max: 1_000 })
      .filter((length) => length < 196 || (length - 196) % 32 !== 0)
    fc.assert(
      fc.property(lengths, (length) => {
        expect(() => decodeJournal(new Uint8Array(length))).toThrow(JournalInvalid)
      }),
    )
  })

  test('given the hex of a journal, then it is no journal', () => {
    const [journal] = fc.sample(journals, { numRuns: 1, seed: 2 })
    const text = new TextEncoder().encode(packByViem(journal!))
    expect(() => decodeJournal(text)).toThrow(JournalInvalid)
    expect(decodeJournal(hexToBytes(packByViem(journal!)))).toEqual(journal)
  })
})
