import { type Hex, numberToHex } from 'viem'

/** Fields of a journal in the form of the vector file, all there. */
export interface SampleJournal {
  proposer: Hex
  l1OriginHash: Hex
  prevOutputRoot: Hex
  startingL2Block: string
  outputRoot: Hex
  endingL2Block: string
  intermediateRoots: Hex[]
  configHash: Hex
  teeImageHash: Hex
}

export const word = (byte: string): Hex => `0x${byte.repeat(32)}`
export const root = (index: number): Hex => numberToHex(0xb0 + index, { size: 32 })
export const roots = (count: number): Hex[] =>
  Array.from({ length: count }, (_, index) => root(index + 1))

/** Fields that differ in every byte, so that a swap shows. */
export function sampleJournal(change: Partial<SampleJournal> = {}): SampleJournal {
  return {
    proposer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    l1OriginHash: word('22'),
    prevOutputRoot: word('33'),
    startingL2Block: '999',
    outputRoot: word('44'),
    endingL2Block: '1000',
    intermediateRoots: [],
    configHash: word('11'),
    teeImageHash: word('55'),
    ...change,
  }
}
