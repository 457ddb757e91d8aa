import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { RollbedError } from '#protocol/errors/rollbed-error'

const expectationSchema = z.strictObject({
  /** A case id or a glob of ids. */
  case: z.string().min(1),
  reason: z.string().min(1),
  link: z.url().optional(),
  /** Last day the failure is excused, YYYY-MM-DD. */
  expires: z.iso.date(),
})

/** A known failure of one target: excused until a day, for a reason. */
export type Expectation = z.infer<typeof expectationSchema>

/** The expectations file is missing or ill-formed. */
export class BadExpectations extends RollbedError {
  constructor(file: string, cause: unknown) {
    super('BAD_EXPECTATIONS', `${file} is no expectations file: ${reasonOf(cause)}`, {
      hint: 'It is a YAML list of {case, reason, link?, expires: YYYY-MM-DD}.',
      cause,
    })
  }
}

/**
 * Known failures from a YAML file: a list of `{case, reason, link?, expires: YYYY-MM-DD}`.
 *
 * @param file a path, from the working directory
 * @returns in the order of the file; none of an empty one
 * @throws BadExpectations (BAD_EXPECTATIONS) when the file is missing or ill-formed, naming the entry
 * @see reports/in-ci.md
 * @example
 * import { writeFile } from 'node:fs/promises'
 * import { loadExpectations } from 'rollbed/conform'
 *
 * const file = `${devnet.workDir}/expect.yaml`
 * await writeFile(file, '- {case: "rpc.block.*", reason: a known fault, expires: 2026-12-31}')
 * console.log(await loadExpectations(file))
 */
export async function loadExpectations(file: string): Promise<Expectation[]> {
  try {
    return z.array(expectationSchema).parse(parse(await readFile(file, 'utf8')) ?? [])
  } catch (error) {
    throw new BadExpectations(file, error)
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    return cause.issues
      .map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
      .join('; ')
  }
  return cause instanceof Error ? cause.message : String(cause)
}
