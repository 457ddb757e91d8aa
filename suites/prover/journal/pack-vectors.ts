import { concatHex, type Hex, keccak256, slice } from 'viem'
import { abiEncode, pack, widePack } from './packings.ts'
import { roots, type SampleJournal, sampleJournal, word } from './sample-journals.ts'
import type { VectorFlag } from './vector-notes.ts'
import type { TestsOf } from './vector-schema.ts'

const MAX_U64 = ((1n << 64n) - 1n).toString()
const ZERO = word('00')

export function packTests(): TestsOf<'JournalPack'> {
  const valid = (comment: string, flag: VectorFlag, change: Partial<SampleJournal> = {}) => {
    const journal = sampleJournal(change)
    const packed = pack(journal)
    const digest = keccak256(packed)
    return { comment, flags: [flag], result: 'valid' as const, journal, packed, digest }
  }
  const invalid = (comment: string, flag: VectorFlag, change: Partial<SampleJournal>) => ({
    comment,
    flags: [flag],
    result: 'invalid' as const,
    journal: sampleJournal(change),
  })
  const { configHash: _gone, ...unfinished } = sampleJournal()
  const u64 = (1n << 64n).toString()
  return [
    valid('one block, no intermediate roots', 'Plain'),
    valid('one intermediate root', 'Plain', { endingL2Block: '1029', intermediateRoots: roots(1) }),
    valid('two intermediate roots', 'Plain', {
      endingL2Block: '1060',
      intermediateRoots: roots(2),
    }),
    valid('seven intermediate roots', 'Plain', {
      endingL2Block: '1006',
      intermediateRoots: roots(7),
    }),
    valid('twenty intermediate roots', 'Plain', {
      endingL2Block: '1599',
      intermediateRoots: roots(20),
    }),
    valid('all fields zero', 'EdgeValue', {
      proposer: `0x${'00'.repeat(20)}`,
      l1OriginHash: ZERO,
      prevOutputRoot: ZERO,
      startingL2Block: '0',
      outputRoot: ZERO,
      endingL2Block: '0',
      configHash: ZERO,
      teeImageHash: ZERO,
    }),
    valid('image hash of local mode', 'EdgeValue', { teeImageHash: ZERO }),
    valid('from genesis', 'EdgeValue', { startingL2Block: '0', endingL2Block: '1' }),
    valid('largest block numbers', 'EdgeValue', {
      startingL2Block: MAX_U64,
      endingL2Block: MAX_U64,
    }),
    valid('a block number of one byte each, the low one last', 'EdgeValue', {
      startingL2Block: BigInt('0x0102030405060708').toString(),
      endingL2Block: '255',
    }),
    valid('an intermediate root of zeros', 'EdgeValue', { intermediateRoots: [ZERO] }),
    valid('the same root twice', 'EdgeValue', { intermediateRoots: [word('44'), word('44')] }),
    invalid('proposer of 19 bytes', 'FieldSize', { proposer: `0x${'f3'.repeat(19)}` }),
    invalid('proposer padded to 32 bytes', 'FieldSize', {
      proposer: `0x${'00'.repeat(12)}${'f3'.repeat(20)}`,
    }),
    invalid('output root of 31 bytes', 'FieldSize', { outputRoot: `0x${'44'.repeat(31)}` }),
    invalid('image hash of 48 bytes: PCR0 itself', 'FieldSize', {
      teeImageHash: `0x${'55'.repeat(48)}`,
    }),
    invalid('empty config hash', 'FieldSize', { configHash: '0x' }),
    invalid('an intermediate root of 33 bytes', 'FieldSize', {
      intermediateRoots: [`0x${'b1'.repeat(33)}`],
    }),
    invalid('two roots in one element', 'FieldSize', {
      intermediateRoots: [`0x${'b1'.repeat(64)}`],
    }),
    { comment: 'no config hash', flags: ['FieldSize'], result: 'invalid', journal: unfinished },
    invalid('block number of 2^64', 'NumberRange', { endingL2Block: u64 }),
    invalid('negative block number', 'NumberRange', { startingL2Block: '-1' }),
  ]
}

export function unpackTests(): TestsOf<'JournalUnpack'> {
  const valid = [0, 1, 5].map((count) => {
    const journal = sampleJournal({ intermediateRoots: roots(count) })
    return {
      comment: `${196 + 32 * count} bytes`,
      flags: ['Plain'],
      result: 'valid' as const,
      packed: pack(journal),
      journal,
    }
  })
  const whole = pack(sampleJournal())
  const invalid = (comment: string, flag: VectorFlag, packed: Hex) => ({
    comment,
    flags: [flag],
    result: 'invalid' as const,
    packed,
  })
  return [
    ...valid,
    invalid('no bytes', 'Length', '0x'),
    invalid('one byte too few', 'Length', slice(whole, 0, 195)),
    invalid('one byte too many', 'Length', concatHex([whole, '0x00'])),
    invalid('half a root too many', 'Length', concatHex([whole, slice(ZERO, 0, 16)])),
    invalid('without configHash', 'Length', concatHex([slice(whole, 0, 132), word('55')])),
    invalid('244 bytes', 'WideBlockNumbers', widePack(sampleJournal())),
    invalid('ABI-encoded', 'AbiEncoded', abiEncode(sampleJournal())),
  ]
}
