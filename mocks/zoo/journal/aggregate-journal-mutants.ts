import { concat, encodePacked, keccak256, numberToHex, size } from 'viem'
import type { Mutant } from '../mutant.ts'
import { type Hex, pack, type Signed, word } from '../resign-proof.ts'
import { changing } from './journal-mutants.ts'

const ZERO = word(0n)
/** Bytes of a journal without roots. */
const SHORTEST = 196

/** An enclave that packs some journals otherwise. */
const packing = (
  rule: string,
  name: string,
  says: string,
  change: (journal: Signed) => Partial<Signed>,
) =>
  changing(rule, name, says, () => ({
    pack: (journal) => pack({ ...journal, ...change(journal) }),
  }))

/** The interval that a journal was sampled at; undefined where it has no root. */
const intervalOf = ({ roots, allRoots }: Signed): number | undefined =>
  roots[0] && allRoots.indexOf(roots[0]) + 1

const personal = (bytes: Hex) =>
  keccak256(
    encodePacked(['string', 'bytes32'], ['\x19Ethereum Signed Message:\n32', keccak256(bytes)]),
  )

/** Mutants that pack or sign the journals of some ranges alone with a mistake. */
export const AGGREGATE_JOURNAL_MUTANTS: readonly Mutant[] = [
  packing('JRN-15', 'none-for-interval-one', 'Signs no root at an interval of one', (j) =>
    intervalOf(j) === 1 ? { roots: [] } : {},
  ),
  packing(
    'JRN-15',
    'none-for-whole-range',
    'Signs no root where the interval is as long as the range',
    (j) => (j.isAggregate && intervalOf(j) === j.allRoots.length ? { roots: [] } : {}),
  ),
  packing('JRN-02', 'roots-to-even', 'Fills an odd number of roots up with zeros', ({ roots }) =>
    roots.length > 1 && roots.length % 2 === 1 ? { roots: [...roots, ZERO] } : {},
  ),
  packing('JRN-15', 'count-rounded', 'Rounds the count of roots to the nearest', (j) => {
    const interval = intervalOf(j)
    const isUp = interval && 2 * (j.allRoots.length % interval) > interval
    return isUp ? { roots: [...j.roots, j.allRoots.at(-1)!] } : {}
  }),
  packing(
    'JRN-14',
    'start-at-multiple',
    'Starts an aggregate at a multiple of the interval',
    (j) => {
      const interval = BigInt(intervalOf(j) ?? 1)
      return j.isAggregate ? { start: j.start - (j.start % interval) } : {}
    },
  ),
  packing('JRN-16', 'early-from-genesis', 'Samples a block early from block 0 on', (j) => {
    const interval = intervalOf(j) ?? 1
    if (j.start !== 0n || interval === 1) return {}
    return { roots: j.allRoots.filter((_, at) => (at + 2) % interval === 0) }
  }),
  packing(
    'PRV-PROP-10',
    'first-sample-agreed',
    'Signs the first sample for the agreed root where there are several',
    ({ roots }) => (roots.length > 1 ? { prevOutputRoot: roots[0]! } : {}),
  ),
  packing(
    'PRV-REQ-09',
    'interval-cut-to-range',
    'Cuts an interval that is longer than the range to its length',
    (j) => (j.isAggregate && j.roots.length === 0 ? { roots: j.allRoots.slice(-1) } : {}),
  ),
  packing(
    'JRN-11',
    'swapped-in-aggregate',
    'Swaps config and image hash in an aggregate',
    ({ isAggregate, configHash, imageHash }) =>
      isAggregate ? { configHash: imageHash, imageHash: configHash } : {},
  ),
  packing('JRN-18', 'no-image-for-one-block', 'Signs no image hash for one block', (j) =>
    j.allRoots.length === 1 ? { imageHash: ZERO } : {},
  ),
  packing('JRN-22', 'no-config-at-the-end', 'Signs no config hash for the last block', (j) =>
    !j.isAggregate && j.outputRoot === j.allRoots.at(-1) ? { configHash: ZERO } : {},
  ),
  packing(
    'PRV-REQ-08',
    'no-mixed-case-in-aggregate',
    'Signs an aggregate for the zero address where the proposer is in both cases',
    ({ isAggregate, proposer }) =>
      isAggregate && /[A-F]/.test(proposer) ? { proposer: `0x${'00'.repeat(20)}` } : {},
  ),
  changing('JRN-21', 'first-head-in-blocks', 'Signs the first L1 head for each block', () => {
    let first: Hex | undefined
    return {
      pack: (j) => {
        first ??= j.l1OriginHash
        return pack(j.isAggregate ? j : { ...j, l1OriginHash: first })
      },
    }
  }),
  changing('SIG-03', 'personal-with-roots', 'Signs as a personal message what has roots', () => ({
    hash: (bytes) => (size(bytes) > SHORTEST ? personal(bytes) : keccak256(bytes)),
  })),
  changing('SIG-04', 'v-28-for-one', 'v of an aggregate is 28 in place of 1', () => ({
    signature: (signature, { isAggregate }) =>
      isAggregate && signature.endsWith('01')
        ? concat([`0x${signature.slice(2, -2)}`, numberToHex(28, { size: 1 })])
        : signature,
  })),
]
