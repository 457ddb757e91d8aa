import { z } from 'zod'

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/)

/** valid: has to be accepted. invalid: has to be refused. acceptable: either. */
const result = z.enum(['valid', 'invalid', 'acceptable'])

const test = z.strictObject({
  /** Unique in the file. */
  tcId: z.int().positive(),
  comment: z.string().min(1),
  /** Keys of `notes`. */
  flags: z.array(z.string()),
  result,
})

/** Block numbers are decimal strings; fields of invalid tests may have any size or be missing. */
const journal = z.strictObject({
  proposer: hex.optional(),
  l1OriginHash: hex.optional(),
  prevOutputRoot: hex.optional(),
  startingL2Block: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  outputRoot: hex.optional(),
  endingL2Block: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  intermediateRoots: z.array(hex).optional(),
  configHash: hex.optional(),
  teeImageHash: hex.optional(),
})

/** Pack the journal; compare the bytes and their keccak256. Invalid: refuse it. */
const packGroup = z.strictObject({
  type: z.literal('JournalPack'),
  tests: z.array(test.extend({ journal, packed: hex.optional(), digest: hex.optional() })),
})

/** Read the bytes; compare the fields. Invalid: refuse them. */
const unpackGroup = z.strictObject({
  type: z.literal('JournalUnpack'),
  tests: z.array(test.extend({ packed: hex, journal: journal.optional() })),
})

/**
 * Which blocks of the range (start, end] give the aggregate its intermediate roots. Invalid: refuse
 * to sign.
 */
const sampleGroup = z.strictObject({
  type: z.literal('JournalSample'),
  tests: z.array(
    test.extend({
      start: z.string().regex(/^\d+$/),
      end: z.string().regex(/^\d+$/),
      interval: z.string().regex(/^\d+$/),
      sampled: z.array(z.string().regex(/^\d+$/)).optional(),
    }),
  ),
})

/** The signature over keccak256 of the packed journal has to recover to the group's address. */
const verifyGroup = z.strictObject({
  type: z.literal('JournalVerify'),
  key: z.strictObject({ privateKey: hex, publicKey: hex, address: hex }),
  tests: z.array(test.extend({ packed: hex, signature: hex })),
})

export const vectorSchema = z.strictObject({
  algorithm: z.string(),
  schema: z.literal('journal.schema.json'),
  generatedBy: z.string(),
  numberOfTests: z.int(),
  header: z.array(z.string()),
  notes: z.record(
    z.string(),
    z.strictObject({
      bugType: z.enum([
        'BASIC',
        'EDGE_CASE',
        'WRONG_PRIMITIVE',
        'LEGACY',
        'MALLEABILITY',
        'MISSING_STEP',
      ]),
      description: z.string(),
      effect: z.string().optional(),
      links: z.array(z.url()).optional(),
    }),
  ),
  testGroups: z.array(
    z.discriminatedUnion('type', [packGroup, unpackGroup, sampleGroup, verifyGroup]),
  ),
})

export type JournalVectors = z.infer<typeof vectorSchema>
export type VectorGroup = JournalVectors['testGroups'][number]
export type GroupOf<type extends VectorGroup['type']> = Extract<VectorGroup, { type: type }>

/** Tests without their number. */
export type TestsOf<type extends VectorGroup['type']> = Unnumbered<GroupOf<type>['tests'][number]>[]

type Unnumbered<T> = T extends unknown ? Omit<T, 'tcId'> : never
