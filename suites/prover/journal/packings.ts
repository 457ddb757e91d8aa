import { concatHex, encodeAbiParameters, type Hex, numberToHex, slice } from 'viem'
import { JOURNAL_TYPES, packByViem } from './pack-by-viem.ts'
import type { SampleJournal } from './sample-journals.ts'

/** As specified. */
export const pack = (journal: SampleJournal): Hex =>
  packByViem({
    ...journal,
    startingL2Block: BigInt(journal.startingL2Block),
    endingL2Block: BigInt(journal.endingL2Block),
  })

/** 244 + 32·N bytes: block numbers as words. */
export function widePack(journal: SampleJournal): Hex {
  const packed = pack(journal)
  const wide = (number: string) => numberToHex(BigInt(number), { size: 32 })
  return concatHex([
    slice(packed, 0, 84),
    wide(journal.startingL2Block),
    slice(packed, 92, 124),
    wide(journal.endingL2Block),
    slice(packed, 132),
  ])
}

/** What Solidity's abi.encode gives. */
export function abiEncode(journal: SampleJournal): Hex {
  return encodeAbiParameters(
    JOURNAL_TYPES.map((type) => ({ type })),
    [
      journal.proposer,
      journal.l1OriginHash,
      journal.prevOutputRoot,
      BigInt(journal.startingL2Block),
      journal.outputRoot,
      BigInt(journal.endingL2Block),
      journal.intermediateRoots,
      journal.configHash,
      journal.teeImageHash,
    ],
  )
}
