import { z } from 'zod'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { FAULT_NAMES, FAULTS, faultsOn } from './fault-catalogue.ts'
import { isFaultTarget, kindOf, TARGET_PATTERN } from './fault-targets.ts'

/** Far more than any story takes: a plan is read by people. */
const MOST_FAULTS = 1_000
const WEEK = 7 * 86_400_000

const time = z.int().min(0).max(WEEK)
const perMinute = z.int().min(0).max(60_000).default(0)

const plannedFault = z
  .strictObject({
    at: time.optional().describe('Milliseconds from the start of the plan; or from `when`.'),
    when: z
      .string()
      .regex(/^\S+ \S+$/)
      .optional()
      .describe(
        "Begin with the first event of these words, `who what`, as in 'enclave.16 proving'.",
      ),
    until: time
      .optional()
      .describe(
        'Milliseconds from the same moment as `at`. Without it the fault lasts to the end.',
      ),
    target: z.string().regex(new RegExp(TARGET_PATTERN)),
    fault: z.enum(FAULT_NAMES),
    with: z.record(z.string(), z.unknown()).optional().describe('See the catalogue of faults.'),
  })
  .refine(({ at = 0, until }) => until === undefined || until >= at, 'ends before it begins')
  .refine(({ target, fault }) => {
    return !isFaultTarget(target) || faultsOn(kindOf(target)).includes(fault)
  }, 'is a fault of another kind of target')
  .superRefine((planned, context) => {
    const checked = FAULTS[planned.fault]?.with.safeParse(planned.with ?? {})
    for (const { path, message } of checked?.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['with', ...path], message })
    }
  })

/** What clients do meanwhile. */
const loadSchema = z.strictObject({
  transfers: perMinute.describe('Transactions in a minute that move ether.'),
  tokens: perMinute.describe('Transactions in a minute that write storage and log.'),
  deposits: perMinute.describe(
    'Deposits of ether from L1 in a minute; every fifth asks for too much.',
  ),
  withdrawals: perMinute.describe(
    'Withdrawals to L1 in a minute; every fourth is refused by its contract.',
  ),
  bridged: perMinute.describe(
    'Tokens in a minute that the standard bridges take from L1 to L2, or back: every third.',
  ),
  oddities: perMinute.describe(
    'What wallets rarely send, in a minute: older types, creations, much data, EIP-7702, the next before the last, replacements, what must be refused.',
  ),
  strays: perMinute.describe(
    "What makes no block of L2 and is posted to its inbox on L1, in a minute: what is no batch, what does not fit, and what is not the batcher's.",
  ),
  rushes: perMinute.describe(
    'How often in a minute six wallets send at once, each with another tip.',
  ),
  confirmations: perMinute.describe(
    'Transactions in a minute that the actions for viem send and pre-confirm.',
  ),
  calls: perMinute.describe('Reads in a minute: calls, balances, logs, blocks.'),
  pages: perMinute.describe(
    'Pages of an explorer in a minute: a transaction with its calls, what an account did, what waits.',
  ),
  longCalls: perMinute.describe('Calls in a minute that a worker thread runs.'),
  registrations: perMinute.describe('Builder codes asked for in a minute.'),
  proofs: perMinute.describe('Proofs asked for in a minute.'),
  falseGames: z
    .int()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      'Games with a false claim, signed by a leaked key; a challenger has to nullify them.',
    ),
  strikes: z
    .int()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      "Times that the owner of L1's registry strikes off the keys of enclaves that run; a registrar has to register them again.",
    ),
  subscribers: z.int().min(0).max(100).default(0).describe('WebSocket subscriptions that read.'),
  listeners: z
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe(
      'WebSocket connections that hear of heads, receipts, pooled transactions, flashblocks, their transactions and their logs.',
    ),
  idleSubscribers: z.int().min(0).max(100).default(0).describe('Those that never read.'),
})

const upgradeTime = z.union([
  z.enum(['genesis', 'never']),
  z.templateLiteral(['+', z.int().min(0), 's']),
  z.templateLiteral(['block ', z.int().min(0)]),
  z.int().min(0),
])

const worldSchema = z.strictObject({
  blockTime: z.int().min(1).max(3_600).optional().describe('Seconds between blocks, of L1 and L2.'),
  sequencerWindow: z
    .int()
    .min(2)
    .max(3_600)
    .optional()
    .describe('L1 blocks in which a batch has to be posted; in a simulated world only.'),
  gameInterval: z
    .int()
    .min(2)
    .max(1_000)
    .multipleOf(2)
    .optional()
    .describe('L2 blocks from one game to the next; in a simulated world only.'),
  blobs: z
    .boolean()
    .optional()
    .describe('Whether batches are posted in blobs; in a real world only.'),
  keepsChain: z
    .boolean()
    .optional()
    .describe(
      'Whether the node keeps its chain on disk and can be killed; in a simulated world only.',
    ),
  actors: z
    .boolean()
    .optional()
    .describe('Whether proposer, challenger and registrar run; always in a simulated world.'),
  upgrades: z
    .strictObject({ azul: upgradeTime.optional(), denim: upgradeTime.optional() })
    .optional()
    .describe(
      "When upgrades of Base come: genesis, never, '+30s', 'block 20' or a Unix time in seconds.",
    ),
})

export const faultPlanSchema = z
  .strictObject({
    seed: z.int().min(0).default(0).describe('Of everything random: toxics, load, ties.'),
    duration: time
      .default(60_000)
      .describe('Milliseconds until every fault is cleared; then the liveness phase begins.'),
    world: worldSchema
      .default({})
      .describe("What is started to play it in; 'rollbed up --faults' is what its flags say."),
    load: loadSchema.default(loadSchema.parse({})),
    faults: z.array(plannedFault).max(MOST_FAULTS).default([]),
  })
  .describe('Faults and load for a rollbed devnet, simulated or real.')

/** A plan with every default filled in. */
export type FaultPlan = z.infer<typeof faultPlanSchema>
export type PlannedFault = FaultPlan['faults'][number]
/** As users write it. */
export type FaultPlanInput = z.input<typeof faultPlanSchema>

/**
 * Reads a plan.
 * @param source of the value, for the message: a file's name
 * @throws RollbedError FAULT_PLAN_INVALID, which names every member that is wrong
 * @example
 * parseFaultPlan({ faults: [{ at: 1000, until: 5000, target: 'link:host-l1', fault: 'down' }] })
 */
export function parseFaultPlan(value: unknown, source = 'the plan'): FaultPlan {
  const parsed = faultPlanSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.join('.') || 'plan'}: ${message}`)
  throw new RollbedError('FAULT_PLAN_INVALID', `In ${source}: ${wrong.join('; ')}.`, {
    hint: 'Targets and faults are listed in devnet/docs/faults.md, the schema is fixtures/faults/plan.schema.json.',
  })
}

/** The schema for other languages and for editors. */
export function planSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(faultPlanSchema, { io: 'input' }), null, 2)}\n`
}
