import { concat, encodeAbiParameters, numberToHex, pad } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { sha256 } from './hash.ts'
import { JOURNAL_TYPES, type Journal, journalValues, packJournal } from './journal.ts'

/** A layout that is not the spec's, by what is different. */
export interface JournalVariant {
  name: string
  pack(journal: Journal): Hex
}

const word = (value: bigint) => numberToHex(value, { size: 32 })
const change = (name: string, part: (journal: Journal) => Partial<Journal>): JournalVariant => ({
  name,
  pack: (journal) => packJournal({ ...journal, ...part(journal) }),
})

/** Mistakes with a name, so that a signature that fits none of ours can be told apart. */
export const JOURNAL_VARIANTS: readonly JournalVariant[] = [
  {
    name: 'block numbers as 32-byte words (244 + 32·N bytes)',
    pack: (j) =>
      concat([
        j.proposer,
        j.l1OriginHash,
        j.prevOutputRoot,
        word(j.startingL2Block),
        j.outputRoot,
        word(j.endingL2Block),
        ...j.intermediateRoots,
        j.configHash,
        j.teeImageHash,
      ]),
  },
  {
    name: 'ABI-encoded',
    pack: (j) =>
      encodeAbiParameters(
        JOURNAL_TYPES.map((type) => ({ type })),
        journalValues(j) as readonly unknown[],
      ),
  },
  {
    name: 'proposer padded to 32 bytes',
    pack: (j) => concat([pad(j.proposer), `0x${packJournal(j).slice(42)}`]),
  },
  change('l1OriginHash and prevOutputRoot swapped', (j) => ({
    l1OriginHash: j.prevOutputRoot,
    prevOutputRoot: j.l1OriginHash,
  })),
  change('prevOutputRoot and outputRoot swapped', (j) => ({
    prevOutputRoot: j.outputRoot,
    outputRoot: j.prevOutputRoot,
  })),
  change('configHash and teeImageHash swapped', (j) => ({
    configHash: j.teeImageHash,
    teeImageHash: j.configHash,
  })),
  change('startingL2Block equal to the first block', (j) => ({
    startingL2Block: j.startingL2Block + 1n,
  })),
  change('no intermediate roots', () => ({ intermediateRoots: [] })),
  change('its own output root as intermediate root', (j) => ({
    intermediateRoots: [j.outputRoot],
  })),
  change('teeImageHash of 32 zero bytes', () => ({ teeImageHash: `0x${'00'.repeat(32)}` })),
  change('configHash of 32 zero bytes', () => ({ configHash: `0x${'00'.repeat(32)}` })),
  change('teeImageHash hashed once more', (j) => ({ teeImageHash: sha256(j.teeImageHash) })),
  {
    name: 'a count before the intermediate roots',
    pack: (j) => {
      const packed = packJournal(j)
      const count = numberToHex(j.intermediateRoots.length, { size: 32 })
      return concat([`0x${packed.slice(2, 266)}`, count, `0x${packed.slice(266)}`])
    },
  },
]
