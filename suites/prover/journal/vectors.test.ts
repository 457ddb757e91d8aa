import { readFileSync } from 'node:fs'
import { bytesToHex, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeJournal } from '#protocol/journal/decode-journal'
import { encodeJournal } from '#protocol/journal/encode-journal'
import type { Journal } from '#protocol/journal/journal'
import { recoverSigner } from '#protocol/journal/recover-signer'
import { sampleRoots } from '#protocol/journal/sampling'
import { createSigner } from '#protocol/journal/signer'
import { type GroupOf, type VectorGroup, vectorSchema } from './vector-schema.ts'
import { vectorFiles } from './write-vectors.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../fixtures/vectors/${name}`, import.meta.url), 'utf8')
const vectors = vectorSchema.parse(JSON.parse(read('journal.json')))
const groupOf = <type extends VectorGroup['type']>(type: type) =>
  vectors.testGroups.find((group) => group.type === type) as GroupOf<type>
const named = <T extends { tcId: number; comment: string; result: string }>(tests: T[]) =>
  tests.map((vector) => [`${vector.tcId} ${vector.comment} (${vector.result})`, vector] as const)

describe('the vector file', () => {
  test('given its generator, then it is what that makes', async () => {
    for (const [name, text] of Object.entries(await vectorFiles()))
      expect(read(name), `run: ${vectors.generatedBy}`).toBe(text)
  })

  test('given its tests, then they are counted, every flag is explained and every explanation used', () => {
    const tests = vectors.testGroups.flatMap(
      (group) => group.tests as { tcId: number; flags: string[] }[],
    )
    expect(tests.map(({ tcId }) => tcId)).toEqual(tests.map((_, index) => index + 1))
    expect(vectors.numberOfTests).toBe(tests.length)
    expect([...new Set(tests.flatMap(({ flags }) => flags))].sort()).toEqual(
      Object.keys(vectors.notes).sort(),
    )
  })
})

describe('JournalPack', () => {
  test.each(named(groupOf('JournalPack').tests))(
    'given %s, then packing does as the vector says',
    (_name, vector) => {
      if (vector.result === 'invalid') {
        expect(() => encodeJournal(journalOf(vector.journal))).toThrow()
        return
      }
      const packed = encodeJournal(journalOf(vector.journal))
      expect(bytesToHex(packed)).toBe(vector.packed)
      expect(keccak256(packed)).toBe(vector.digest)
    },
  )
})

describe('JournalUnpack', () => {
  test.each(named(groupOf('JournalUnpack').tests))(
    'given %s, then reading does as the vector says',
    (_name, { packed, journal, result }) => {
      const decode = () => decodeJournal(hexToBytes(packed as Hex))
      if (result === 'invalid') expect(decode).toThrow()
      else expect(decode()).toEqual(journalOf(journal!))
    },
  )
})

describe('JournalSample', () => {
  const rootAt = (number: bigint) => numberToHex(number, { size: 32 })

  test.each(named(groupOf('JournalSample').tests))(
    'given %s, then sampling does as the vector says',
    (_name, vector) => {
      const [start, end, interval] = [vector.start, vector.end, vector.interval].map(BigInt)
      const blocks = Array.from({ length: Number(end! - start!) }, (_, index) => {
        const number = start! + BigInt(index + 1)
        return { number, hash: rootAt(0n), outputRoot: rootAt(number) }
      })
      const sample = () => sampleRoots(blocks, interval!)
      if (vector.result === 'invalid') expect(sample).toThrow()
      else expect(sample()).toEqual(vector.sampled!.map((number) => rootAt(BigInt(number))))
    },
  )
})

describe('JournalVerify', () => {
  const { key, tests } = groupOf('JournalVerify')
  const signer = createSigner(hexToBytes(key.privateKey as Hex))

  test('given its key, then it is the one that is named', () => {
    expect(signer.address).toBe(key.address)
    expect(bytesToHex(signer.publicKey)).toBe(key.publicKey)
  })

  test.each(named(tests))(
    'given %s, then signing and verifying do as the vector says',
    (_name, { packed, signature, result }) => {
      const bytes = hexToBytes(packed as Hex)
      if (result === 'valid') expect(signer.sign(bytes)).toBe(signature)
      if (result !== 'acceptable') expect(accepts(bytes, signature as Hex)).toBe(result === 'valid')
    },
  )

  function accepts(bytes: Uint8Array, signature: Hex): boolean {
    try {
      return recoverSigner(bytes, signature) === key.address
    } catch {
      return false
    }
  }
})

/** As given: fields may be missing or malformed. */
function journalOf(json: Record<string, unknown>): Journal {
  return Object.fromEntries(
    Object.entries(json).map(([field, value]) => [
      field,
      field.endsWith('Block') ? BigInt(value as string) : value,
    ]),
  ) as unknown as Journal
}
