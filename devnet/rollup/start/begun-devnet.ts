import { z } from 'zod'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Address, Hash } from '#protocol/types/bytes'
import { JOURNAL_ERA_NAMES } from '#protocol/upgrades/upgrade-table'

/** What a devnet began with, and goes on with. */
export interface BegunDevnet {
  config: RollupConfig
  contracts: L1Addresses
  /** Seconds; the timestamp of L1's block 0. */
  l1GenesisTime: number
  l1BlockTime: number
  /** The enclave image whose proofs L1's contracts accept. */
  imageHash: Hash
}

const hash = z.custom<Hash>((value) => /^0x[0-9a-f]{64}$/.test(String(value)), 'must be a hash')
const address = z.custom<Address>(
  (value) => /^0x[0-9a-f]{40}$/.test(String(value)),
  'must be an address',
)
const count = z.int().nonnegative()
const blockId = z.strictObject({ hash, number: count })

const activation = z.union([z.enum(['genesis', 'never']), count]).optional()

const schema: z.ZodType<BegunDevnet> = z.strictObject({
  config: z.strictObject({
    l1ChainId: z.int().positive(),
    l2ChainId: z.int().positive(),
    fork: z.enum(['isthmus', 'jovian']),
    upgrades: z.strictObject({ azul: activation, denim: activation }).optional(),
    // Absent in a folder that was begun before journals named a schedule: its contracts want none.
    journal: z.enum(JOURNAL_ERA_NAMES).optional(),
    genesis: z.strictObject({
      l1: blockId,
      l2: blockId,
      l2Time: count,
      systemConfig: z.strictObject({
        batcherAddress: address,
        gasLimit: z.bigint(),
        scalar: hash,
        eip1559Denominator: count,
        eip1559Elasticity: count,
        operatorFeeScalar: count,
        operatorFeeConstant: z.bigint(),
        minBaseFee: z.bigint(),
        daFootprintGasScalar: count,
      }),
    }),
    blockTime: z.int().positive(),
    maxSequencerDrift: z.int().positive(),
    sequencerWindowSize: z.int().positive(),
    channelTimeout: z.int().positive(),
    batchInboxAddress: address,
    depositContractAddress: address,
    l1SystemConfigAddress: address,
  }),
  contracts: z.record(z.string(), address) as unknown as z.ZodType<L1Addresses>,
  l1GenesisTime: count,
  l1BlockTime: z.int().positive(),
  imageHash: hash,
})

/** As JSON, always in the same order; bigints as text with an n behind. */
export function settingsOf(begun: BegunDevnet): string {
  return JSON.stringify(schema.parse(begun), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

/** @throws Error that says what is wrong, and where */
export function readBegun(json: unknown): BegunDevnet {
  const parsed = schema.safeParse(revive(json))
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw new Error(`${first!.path.join('.') || 'it'}: ${first!.message}`)
}

function revive(value: unknown): unknown {
  if (typeof value === 'string' && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revive(each)]))
}
