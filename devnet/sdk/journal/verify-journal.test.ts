import { readFileSync } from 'node:fs'
import { encodePacked, hexToBytes, keccak256, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  auditJournal,
  decodeJournal,
  encodeJournal,
  journalFromJson,
  verifyJournal,
} from './index.ts'

const word = `0x${'1a'.repeat(32)}` as const
const journal = {
  proposer: `0x${'22'.repeat(20)}`,
  l1OriginHash: word,
  prevOutputRoot: word,
  startingL2Block: 1n,
  outputRoot: word,
  endingL2Block: 2n,
  intermediateRoots: [],
  configHash: word,
  teeImageHash: word,
} as const

test('given a journal that viem signs, when it is verified, then its signer fits and no other (SIG-07)', async () => {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const packed = encodeJournal({ ...journal, intermediateRoots: [] })
  // A second implementation of the packing (JRN-03 to JRN-11).
  expect(keccak256(packed)).toBe(
    keccak256(
      encodePacked(
        ['address', 'bytes32', 'bytes32', 'uint64', 'bytes32', 'uint64', 'bytes32', 'bytes32'],
        [journal.proposer, word, word, 1n, word, 2n, word, word],
      ),
    ),
  )
  const { r, s, yParity } = parseSignature(
    await sign({ hash: keccak256(packed), privateKey, to: 'hex' }),
  )
  const signature = `${r}${s.slice(2)}0${yParity}` as const

  expect(verifyJournal(packed, signature, address)).toBe(true)
  expect(verifyJournal(packed, signature, journal.proposer)).toBe(false)
  expect(decodeJournal(packed)).toEqual({ ...journal, intermediateRoots: [] })
  const audit = await auditJournal({ bytes: packed }, { known: {}, signers: [address], signature })
  expect(JSON.stringify(audit)).toContain(address.toLowerCase())
})

test('given the published vectors, when their journals are read from JSON, then their bytes are the same', () => {
  const { testGroups } = JSON.parse(readFileSync('fixtures/vectors/journal.json', 'utf8')) as {
    testGroups: { tests: { journal?: unknown; packed?: `0x${string}`; result: string }[] }[]
  }
  const valid = testGroups
    .flatMap(({ tests }) => tests)
    .filter(({ journal: json, packed, result }) => json && packed && result === 'valid')
  expect(valid.length).toBeGreaterThan(5)
  for (const { journal: json, packed } of valid) {
    expect(encodeJournal(journalFromJson(json))).toEqual(hexToBytes(packed!))
  }
})
