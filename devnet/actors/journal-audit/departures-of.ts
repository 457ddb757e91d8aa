import { createHash } from 'node:crypto'
import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Journal } from '#protocol/journal/journal'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import { layoutDepartures, scheduledDepartures } from './layout-departures.ts'
import { type Reading, recoveryId } from './reading.ts'
import {
  ON_CHAIN,
  type RootsReading,
  type SignedClaim,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './signed-claim.ts'

/** keccak256 of 48 zero bytes: what a debug enclave's PCR0 gives (base/base#4042). */
const DEBUG_IMAGE_HASH: Hash = '0xc980e59163ce244bb4bb6211f48c7b46f88a4f40943e84eb99bdc41e129bd293'

const PREFIX = Buffer.from('\x19Ethereum Signed Message:\n')

/** All departures that can be tried on a claim. */
export function departuresOf({
  otherRoots,
  schedule,
  signature,
  subject,
}: SignedClaim): Departure[] {
  return [
    ...(schedule ? scheduledDepartures(schedule) : layoutDepartures),
    ...otherRoots.map(rootsDeparture),
    change(
      'start',
      'startingL2Block is the first block of the range',
      ['JRN-13', 'JRN-14'],
      (j) => ({
        startingL2Block: j.startingL2Block + 1n,
      }),
    ),
    value('teeImageHash', ZERO_HASH, 'teeImageHash is zero (local mode)', ['JRN-17', 'JRN-19']),
    value('teeImageHash', DEBUG_IMAGE_HASH, 'teeImageHash is that of a debug enclave', ['JRN-17']),
    value('configHash', ZERO_HASH, 'configHash is zero', ['JRN-22']),
    value('proposer', ZERO_ADDRESS, 'proposer is zero', ['JRN-03']),
    value('l1OriginHash', ZERO_HASH, 'l1OriginHash is zero', ['JRN-21']),
    hash('signed as a personal message of its hash (EIP-191)', (journal) =>
      personalHash(keccak256(journal)),
    ),
    hash('signed as a personal message of the journal (EIP-191)', personalHash),
    hash('keccak256 taken twice', (journal) => keccak256(keccak256(journal))),
    hash('sha256 instead of keccak256', (journal) => createHash('sha256').update(journal).digest()),
    {
      part: 'signature',
      says: 'v before r and s',
      rules: ['SIG-02'],
      apply: (reading) => ({
        ...reading,
        split: (bytes) =>
          bytes.length === 65 ? { compact: bytes.subarray(1), v: bytes[0]! } : undefined,
      }),
    },
    {
      part: 'signature',
      says: '64 bytes with v in the highest bit of s (EIP-2098)',
      rules: ['SIG-01', 'SIG-02'],
      apply: (reading) => ({ ...reading, split: splitCompact }),
    },
    ...(signature ? recoveryIds(signature, subject) : []),
  ]
}

/** Other roots than the specified ones. */
export function rootsDeparture({ says, rules, roots, open, alone }: RootsReading): Departure {
  const made = change('roots', says, rules, () => ({ intermediateRoots: roots }))
  return { ...made, ...(open && { open }), ...(alone && { alone }) }
}

/** The recovery id that is not there: the other one, or either where there is none. */
function recoveryIds(signature: Hex, subject: SignedClaim['subject']): Departure[] {
  const bytes = hexToBytes(signature)
  if (bytes.length !== 65) return []
  const v = bytes[64]!
  const id = recoveryId(v)
  const base = id === undefined ? 0 : v - id
  const others = [0, 1].filter((other) => other !== id)
  return others.map((other) => ({
    part: 'signature',
    says:
      id === undefined
        ? `v as ${base + other} (it is ${v}, no recovery id)`
        : `a flipped recovery id (v is ${v}, ${base + other} fits)`,
    rules: [ON_CHAIN.has(subject) ? 'SIG-06' : 'SIG-04'],
    apply: (reading) => ({
      ...reading,
      split: (bytes) =>
        bytes.length === 65 ? { compact: bytes.subarray(0, 64), v: base + other } : undefined,
    }),
  }))
}

function change(
  part: Departure['part'],
  says: string,
  rules: readonly string[],
  changed: (journal: Journal) => Partial<Journal>,
): Departure {
  return {
    part,
    says,
    rules,
    apply: (reading) => ({
      ...reading,
      journal: { ...reading.journal, ...changed(reading.journal) },
    }),
  }
}

function value<name extends keyof Journal>(
  field: name,
  bytes: Journal[name],
  says: string,
  rules: readonly string[],
): Departure {
  return change('value', says, rules, () => ({ [field]: bytes }))
}

function hash(says: string, digest: Reading['digest']): Departure {
  return {
    part: 'hash',
    says,
    rules: ['SIG-03'],
    apply: (reading) => ({ ...reading, digest }),
  }
}

function personalHash(message: Uint8Array): Uint8Array {
  return keccak256(concatBytes(PREFIX, Buffer.from(String(message.length)), message))
}

function splitCompact(bytes: Uint8Array) {
  if (bytes.length !== 64) return undefined
  const compact = Uint8Array.from(bytes)
  const v = compact[32]! >> 7
  compact[32]! &= 0x7f
  return { compact, v }
}
