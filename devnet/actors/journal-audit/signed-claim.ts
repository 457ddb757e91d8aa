import type { Journal } from '#protocol/journal/journal'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import type { NamedSchedule } from './known-schedules.ts'
import type { Disorder } from './order-proposals.ts'

/** One signature and the journal that the specification wants below it. */
export interface SignedClaim {
  /** Where it was found: `proposals[0]`, `initData`. */
  name: string
  /**
   * block and aggregate: of an enclave's answer. game and interval: submitted to L1, for a whole
   * game or one interval of it. journal: given as bytes. digest: only its hash is known.
   */
  subject: 'block' | 'aggregate' | 'game' | 'interval' | 'journal' | 'digest'
  journal: Journal
  /** keccak256 of a journal that is not known. */
  digest?: Hash
  signature?: Hex
  /** The roots as another reading of the sampling rule has them. */
  otherRoots: RootsReading[]
  /** Fields nobody told; zeros stand in for them. */
  assumed: (keyof Journal)[]
  /** Field values that were asked for, of a journal that came as bytes. */
  expected?: Partial<Journal>
  /** How its layout departs from the specified one, of a journal that came as bytes. */
  layout?: Departure
  /** Sampling stride of intermediate roots, where it is known. */
  interval?: bigint
  /** The number given for the L1 head: beside the signed bytes, not in them. */
  l1HeadNumber?: bigint
  /** What is wrong with the proposals that it is over. */
  disorder?: readonly Disorder[]
  /** Roots that it is over are not told by anything: zeros stand in for them. */
  lacksRoots?: boolean
  /** Where its range begins is not told by anything: it is taken for the nearest block that may be. */
  lacksStart?: boolean
  /** The same over other ranges, tried in order where the signature does not fit this one. */
  otherwise?: readonly SignedClaim[]
  /** Of one in `otherwise`: what of the claim it corrects. */
  departs?: Departure
  /** What the journal has to end with: whoever takes it knows of upgrades. */
  schedule?: ClaimedSchedule
  /** Facts from L1 that the signature is judged by. */
  chain?: ChainFacts
}

/** Subjects that L1 verifies: v has to be 27 or 28 there. */
export const ON_CHAIN: ReadonlySet<SignedClaim['subject']> = new Set(['game', 'interval', 'digest'])

export interface RootsReading {
  says: string
  rules: readonly string[]
  roots: Hash[]
  /** The open point that it reads otherwise; it breaks no rule then. */
  open?: string
  /** The stride at which it samples, where that is not the one of the claim. */
  interval?: bigint
  /** It is one of many, and not tried together with another departure. */
  alone?: boolean
}

/** The schedule that a journal has to name. */
export interface ClaimedSchedule extends NamedSchedule {
  /** Those that another era would have named. */
  others: readonly NamedSchedule[]
}

/** What L1 knew when the claim was submitted. */
export interface ChainFacts {
  /** Sender of the transaction. */
  sender?: Address
  /** Registered signers with the image hash of each. */
  registered: ReadonlyMap<Address, Hash>
}

/** What L1 says about the L1 heads of claims; undefined: it knows no block of that hash. */
export type L1HeadNumbers = ReadonlyMap<Hash, bigint | undefined>

/** What a user tells about a claim, because nothing else does. */
export interface Known {
  proposer?: Address
  l1OriginHash?: Hash
  prevOutputRoot?: Hash
  startingL2Block?: bigint
  configHash?: Hash
  teeImageHash?: Hash
  scheduleId?: Hash
  /** Sampling stride of intermediate roots. */
  interval?: bigint
}

/** What of a claim's journal is not known, as the beginning of a sentence; undefined when all is. */
export function unknownIn(claim: SignedClaim): string | undefined {
  const { assumed, lacksRoots, lacksStart } = claim
  if (lacksStart) return 'the block before its range is not known'
  if (lacksRoots) return 'roots of its range are not known'
  if (assumed.length > 0)
    return `${assumed.join(', ')} ${assumed.length > 1 ? 'are' : 'is'} not known`
  return lacksInterval(claim) ? 'the interval of its intermediate roots is not known' : undefined
}

/** Nobody told the stride of an aggregate, so that its roots can only be tried. */
export function lacksInterval({ subject, interval }: SignedClaim): boolean {
  return subject === 'aggregate' && interval === undefined
}

export const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
export const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`
