import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '#devnet/base/process/make-folder'
import { faultPlanSchema } from '#devnet/faults/fault-plan'
import type { Failure } from './failure.ts'
import { joinFailures } from './join-failures.ts'

const SCHEMA = 'rollbed.corpus/1'
const NAME = /^failures(\.\d+-of-\d+)?\.json$/

const playSchema = z.strictObject({ at: z.iso.datetime(), broke: z.boolean() })
const failureSchema = z.strictObject({
  key: z.string().regex(/^[a-z0-9-]+-[0-9a-f]{12}$/),
  checker: z.string(),
  problem: z.string(),
  where: z.array(z.string()),
  body: z.enum(['real', 'simulated']),
  plan: faultPlanSchema,
  plays: z
    .record(z.string(), playSchema)
    .refine((plays) => Object.values(plays).some(({ broke }) => broke), 'was never seen to break'),
})
const fileSchema = z.strictObject({ schema: z.literal(SCHEMA), failures: z.array(failureSchema) })

/**
 * All failures of a folder, the oldest first: every part of a farm writes a file of its own there, and
 * they are joined when they are read. A folder that is missing holds none.
 * @throws NotACorpus
 */
export function readCorpus(folder: string): Failure[] {
  const files = namesIn(folder).filter((name) => NAME.test(name))
  return joinFailures(...files.map((name) => readFile(join(folder, name))))
}

/** Writes the file of one part; who reads it meanwhile sees the one before it, or this one. */
export function writeCorpus(
  folder: string,
  failures: readonly Failure[],
  shard: { index: number; of: number } = { index: 0, of: 1 },
): void {
  makeFolder(folder)
  const part = shard.of > 1 ? `.${shard.index}-of-${shard.of}` : ''
  replaceFile(
    join(folder, `failures${part}.json`),
    `${JSON.stringify({ schema: SCHEMA, failures }, null, 2)}\n`,
  )
}

/** Puts a file in the place of another at once. */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`
  writeFileSync(next, text)
  renameSync(next, path)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw invalid(folder, (error as Error).message)
  }
}

function readFile(path: string): Failure[] {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw invalid(path, (error as Error).message)
  }
  const parsed = fileSchema.safeParse(json)
  if (parsed.success) return parsed.data.failures
  const [first] = parsed.error.issues
  throw invalid(path, `${first?.path.join('.')}: ${first?.message}`)
}

const invalid = (path: string, why: string) =>
  new NotACorpus(`${path} holds no failures of a swarm: ${why}.`)

/** A file or folder that no farm has written. */
export class NotACorpus extends Error {
  override name = 'NotACorpus'
}
