import {
  bytesToHex,
  concatHex,
  type Hex,
  hashMessage,
  hexToBytes,
  keccak256,
  numberToHex,
  sha256,
  slice,
} from 'viem'
import { sign } from 'viem/accounts'
import { abiEncode, pack, widePack } from './packings.ts'
import { roots, sampleJournal, word } from './sample-journals.ts'
import type { VectorFlag } from './vector-notes.ts'
import type { TestsOf } from './vector-schema.ts'

/** Of the vector file only: a key that everybody knows. */
export const PRIVATE_KEY = keccak256('0xe1')
const OTHER_KEY = keccak256('0xe2')
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const ZERO = word('00')

export async function verifyTests(): Promise<TestsOf<'JournalVerify'>> {
  const journal = sampleJournal({ endingL2Block: '1059', intermediateRoots: roots(2) })
  const packed = pack(journal)
  const good = await signed(keccak256(packed))
  const [r, s, v] = [slice(good, 0, 32), slice(good, 32, 64), slice(good, 64)]
  const otherV = v === '0x00' ? '0x01' : '0x00'
  const test =
    (result: 'valid' | 'invalid' | 'acceptable') =>
    (comment: string, flag: VectorFlag, signature: Hex, bytes = packed) => ({
      comment,
      flags: [flag],
      result,
      packed: bytes,
      signature,
    })
  const [valid, invalid, acceptable] = [test('valid'), test('invalid'), test('acceptable')]
  const over = async (comment: string, flag: VectorFlag, bytes: Hex) =>
    invalid(comment, flag, await signed(keccak256(bytes)))
  const bothIds = await signaturesOfBothIds()
  const swapped = {
    ...journal,
    l1OriginHash: journal.prevOutputRoot,
    prevOutputRoot: journal.l1OriginHash,
  }
  const exchanged = {
    ...journal,
    configHash: journal.teeImageHash,
    teeImageHash: journal.configHash,
  }

  return [
    valid('aggregate with two roots', 'Plain', good),
    ...bothIds.map(({ bytes, signature }, id) =>
      valid(`recovery id ${id}`, 'Plain', signature, bytes),
    ),
    await over('signed over 32-byte block numbers', 'WideBlockNumbers', widePack(journal)),
    await over('signed over a schedule id at the end', 'ScheduleId', concatHex([packed, ZERO])),
    await over('signed over the ABI encoding', 'AbiEncoded', abiEncode(journal)),
    await over('signed with l1OriginHash and prevOutputRoot swapped', 'FieldOrder', pack(swapped)),
    await over('signed with configHash and teeImageHash swapped', 'FieldOrder', pack(exchanged)),
    await over('signed without the roots', 'Sampling', pack({ ...journal, intermediateRoots: [] })),
    await over(
      'signed without the last root',
      'Sampling',
      pack({ ...journal, intermediateRoots: roots(1) }),
    ),
    await over(
      'signed with the first block as start',
      'ModifiedJournal',
      pack({ ...journal, startingL2Block: '1000' }),
    ),
    invalid(
      'signed as a personal message',
      'WrongDigest',
      await signed(hashMessage({ raw: keccak256(packed) })),
    ),
    invalid('signed over sha256', 'WrongDigest', await signed(sha256(packed))),
    invalid('hashed twice', 'WrongDigest', await signed(keccak256(keccak256(packed)))),
    invalid('first bit of the journal flipped', 'ModifiedJournal', good, flipped(packed, 0)),
    invalid(
      'last bit of the journal flipped',
      'ModifiedJournal',
      good,
      flipped(packed, (packed.length - 2) / 2 - 1),
    ),
    invalid('another key', 'WrongKey', await signed(keccak256(packed), OTHER_KEY)),
    invalid('the other recovery id', 'ModifiedJournal', concatHex([r, s, otherV])),
    acceptable('v as 27 or 28', 'EthereumV', concatHex([r, s, v === '0x00' ? '0x1b' : '0x1c'])),
    acceptable(
      's in the upper half',
      'HighS',
      concatHex([r, numberToHex(ORDER - BigInt(s), { size: 32 }), otherV]),
    ),
    invalid('v = 2', 'InvalidV', concatHex([r, s, '0x02'])),
    invalid('v = 26', 'InvalidV', concatHex([r, s, '0x1a'])),
    invalid('v = 29', 'InvalidV', concatHex([r, s, '0x1d'])),
    invalid('v = 255', 'InvalidV', concatHex([r, s, '0xff'])),
    invalid('v before r and s', 'InvalidV', concatHex([v, r, s])),
    invalid('r = 0', 'RangeCheck', concatHex([ZERO, s, v])),
    invalid('s = 0', 'RangeCheck', concatHex([r, ZERO, v])),
    invalid('r and s = 0', 'RangeCheck', concatHex([ZERO, ZERO, v])),
    invalid('r = order', 'RangeCheck', concatHex([numberToHex(ORDER, { size: 32 }), s, v])),
    invalid('s = order', 'RangeCheck', concatHex([r, numberToHex(ORDER, { size: 32 }), v])),
    invalid('all ones', 'RangeCheck', concatHex([word('ff'), word('ff'), v])),
    invalid('no bytes', 'SignatureSize', '0x'),
    invalid('64 bytes, without v', 'SignatureSize', slice(good, 0, 64)),
    invalid('64 bytes, v in s (EIP-2098)', 'SignatureSize', compact(r, s, v)),
    invalid('66 bytes', 'SignatureSize', concatHex([good, '0x00'])),
  ]
}

/** v is 0 or 1, as enclaves give it. */
async function signed(hash: Hex, privateKey = PRIVATE_KEY): Promise<Hex> {
  const { r, s, yParity } = await sign({ hash, privateKey })
  return concatHex([r, s, numberToHex(yParity!, { size: 1 })])
}

/** Half of all journals have each recovery id: the first of either kind. */
async function signaturesOfBothIds() {
  const found: { bytes: Hex; signature: Hex }[] = []
  for (let number = 1000; !(found[0] && found[1]); number += 1) {
    const numbers = { startingL2Block: `${number - 1}`, endingL2Block: `${number}` }
    const bytes = pack(sampleJournal(numbers))
    const signature = await signed(keccak256(bytes))
    found[Number(slice(signature, 64))] ??= { bytes, signature }
  }
  return found
}

function compact(r: Hex, s: Hex, v: Hex): Hex {
  return concatHex([r, numberToHex(BigInt(s) | (BigInt(v) << 255n), { size: 32 })])
}

function flipped(bytes: Hex, at: number): Hex {
  const copy = hexToBytes(bytes)
  copy[at]! ^= 1
  return bytesToHex(copy)
}
