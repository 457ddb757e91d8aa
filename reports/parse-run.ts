import { z } from 'zod'
import { type RunResult, VERDICTS } from './model.ts'

const level = z.enum(['must', 'should', 'may'])
const verdict = z.enum(VERDICTS)
const texts = z.array(z.string())

/**
 * What the writers of this version use; members it does not know are kept. What is required here, runs had
 * from the first version on; what came later is optional.
 */
const runSchema = z.looseObject({
  schema: z.literal('rollbed.run/1'),
  tool: z.object({ name: z.string(), version: z.string() }),
  startedAt: z.iso.datetime(),
  duration: z.number(),
  profile: z.string(),
  catalogue: z.number().optional(),
  build: z.string().optional(),
  claims: texts.optional(),
  judged: z
    .looseObject({ client: z.string().optional(), imageHashes: texts.optional() })
    .optional(),
  shard: z.object({ index: z.int().min(1), count: z.int().min(1).max(1_000) }).optional(),
  targets: z.record(z.string(), z.string()),
  driver: z.string().nullable(),
  cases: z.array(
    z.looseObject({
      id: z.string().min(1),
      title: z.string(),
      area: z.string(),
      surface: z.string(),
      level,
      rules: texts,
      rationale: z.string(),
      verdict,
      reason: z.string().optional(),
      note: z.string().optional(),
      failure: z
        .looseObject({
          at: z.string(),
          expected: z.unknown(),
          actual: z.unknown(),
          hint: z.string().optional(),
        })
        .optional(),
      expectation: z
        .looseObject({ reason: z.string(), link: z.string().optional(), expires: z.string() })
        .optional(),
      exchanges: z.array(
        z.looseObject({
          transport: z.enum(['http', 'ws', 'vsock']),
          at: z.number(),
          duration: z.number(),
          request: z.string(),
          response: z.string().nullable(),
          status: z.number().optional(),
        }),
      ),
      exchangesDropped: z.number(),
      duration: z.number(),
      repro: z.string(),
    }),
  ),
  rules: z.array(
    z.looseObject({
      id: z.string(),
      says: z.string(),
      level,
      status: z.enum(['covered', 'waived', 'uncovered']),
      reason: z.string().optional(),
      cases: texts,
      verdict: verdict.optional(),
      isJudged: z.boolean().optional(),
      unjudged: z.looseObject({ reason: z.string(), flags: texts }).optional(),
    }),
  ),
  gaps: z.array(
    z.looseObject({ id: z.string(), topic: z.string(), why: z.string(), affects: texts }),
  ),
  staleExpectations: z.array(
    z.looseObject({ pattern: z.string(), reason: z.string(), problem: z.string() }),
  ),
  timelines: z
    .array(
      z.looseObject({
        name: z.string(),
        duration: z.number(),
        lanes: z.array(
          z.looseObject({
            name: z.string(),
            faults: z.array(z.looseObject({ from: z.number(), to: z.number(), says: z.string() })),
            events: z.array(z.looseObject({ at: z.number(), says: z.string() })),
          }),
        ),
        requests: z.array(
          z.looseObject({ at: z.number(), duration: z.number(), says: z.string() }),
        ),
        heads: z.array(
          z.looseObject({
            name: z.string(),
            points: z.array(z.tuple([z.number(), z.number()])),
          }),
        ),
        problems: z.array(z.looseObject({ at: z.number(), says: z.string() })),
      }),
    )
    .optional(),
})

/** Text that is no recorded run of this model. */
export class NotARun extends Error {
  override name = 'NotARun'
}

/** A run as `--format json` wrote it. @throws NotARun with the first member that is wrong */
export function parseRun(text: string): RunResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new NotARun('it is not JSON', { cause: error })
  }
  const parsed = runSchema.safeParse(value)
  if (parsed.success) return parsed.data as unknown as RunResult
  const [issue] = parsed.error.issues
  throw new NotARun(`${issue?.path.join('.') || 'run'}: ${issue?.message}`)
}

/** One run as JSON, or a history with one run on each line. @throws NotARun */
export function parseHistory(text: string): RunResult[] {
  const lines = text.split('\n').filter((line) => line.trim())
  const isHistory = lines.every((line) => /^\{.*\}\s*$/.test(line))
  return lines.length > 1 && isHistory ? lines.map(parseRun) : [parseRun(text)]
}
