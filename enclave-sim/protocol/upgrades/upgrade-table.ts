import type { JournalEra } from '../types/journal-era.ts'
import type { Upgrade } from '../types/schedule.ts'

/** What upgrades change, as values: code asks for these and never for an upgrade's name. */
export interface Rules {
  /** Azul: CLZ, MODEXP's limits and prices, P256VERIFY at 6,900. */
  hasOsakaEvm: boolean
  /** Azul: the most gas that a transaction may ask for (deposits are exempt). */
  transactionGasCap: bigint | undefined
  /** Denim: milliseconds from a block to the next; undefined: the block time of the chain's config. */
  blockInterval: bigint | undefined
  /** Denim: tx[1] tells BaseTime the milliseconds within the second. */
  hasBaseTime: boolean
  /** Until Denim a span batch may hold the block. */
  allowsSpanBatches: boolean
  /** Until Denim there is a pre-confirmed state, told by flashblocks and read by `pending`. */
  hasPreconfirmations: boolean
}

interface UpgradeRow {
  /** What people call it. */
  title: string
  /** Its place in ProtocolVersions on L1, and so in the id of a schedule. */
  place: number
  /** What is otherwise from its first block on. */
  rules: Partial<Rules>
  /** What happens once, in its first block. */
  once?: {
    /** The gas limit is divided by it and the EIP-1559 denominator multiplied. */
    gasScale: number
  }
}

/** The rules of a chain without any of these upgrades: those of the specification. */
export const RULES_BEFORE: Rules = {
  hasOsakaEvm: false,
  transactionGasCap: undefined,
  blockInterval: undefined,
  hasBaseTime: false,
  allowsSpanBatches: true,
  hasPreconfirmations: true,
}

/**
 * The upgrades of Base in the order of their days. The next one is a row here, a name in
 * `types/schedule.ts`, and the parts that ask for its rules.
 * Source: base/docs, azul/exec-engine and denim/200ms-blocks.
 */
export const UPGRADES: Readonly<Record<Upgrade, UpgradeRow>> = {
  azul: {
    title: 'Azul',
    place: 10,
    rules: { hasOsakaEvm: true, transactionGasCap: 2n ** 24n },
  },
  denim: {
    title: 'Denim',
    place: 13,
    rules: {
      blockInterval: 200n,
      hasBaseTime: true,
      allowsSpanBatches: false,
      hasPreconfirmations: false,
    },
    once: { gasScale: 10 },
  },
}

interface JournalEraRow {
  /** When Base's journals became so. */
  since: string
  /** Whether the id they end with is of upgrades that are only announced, too. */
  hasAnnounced: boolean
  /** `version()` of the games here that take them. */
  gameVersion: string
}

/**
 * What journals say of the schedule of upgrades, in the order of their days; before, they said nothing. A
 * chain with upgrades has the last of these unless told.
 * Source: base/contracts, pull requests 359 and 384.
 */
export const JOURNAL_ERAS: Readonly<Record<JournalEra, JournalEraRow>> = {
  'whole-schedule': { since: 'July 2026', hasAnnounced: true, gameVersion: '0.1.0' },
  'activated-schedule': { since: 'August 2026', hasAnnounced: false, gameVersion: '0.3.0' },
}

export const JOURNAL_ERA_NAMES = Object.keys(JOURNAL_ERAS) as JournalEra[]

/** The era of journals on a chain with upgrades that is told no other. */
export const USUAL_JOURNAL_ERA: JournalEra = 'activated-schedule'

/** Parts of Base's upgrades that are not built here: all of them answer as before their upgrade. */
export const NOT_BUILT = [
  { upgrade: 'Beryl', part: 'B20 tokens and the ActivationRegistry' },
  { upgrade: 'Cobalt', part: 'validity predicates (base_sendRawTransactionValidity)' },
  { upgrade: 'Zenith', part: 'EIP-8130 transactions' },
] as const
