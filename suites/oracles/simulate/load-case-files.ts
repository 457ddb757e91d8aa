import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const FOLDER = join(import.meta.dirname, 'cases')

/**
 * One request of eth_simulateV1 and what a right node answers. Expected values are worked out by hand
 * from the execution-apis notes, the EIPs and the opcode table; `note` is the working.
 */
const simulateCase = z.strictObject({
  name: z.string(),
  note: z.string().min(1),
  /** Of our profiles; default spec. */
  profile: z.enum(['spec', 'base']).default('spec'),
  /** Second parameter; default latest. */
  block: z.string().default('latest'),
  /** First parameter. `= latest.number + N` stands for a height counted from the newest block. */
  request: z.record(z.string(), z.unknown()),
  /** What the result must have, read by `mismatches`. */
  result: z.array(z.record(z.string(), z.unknown())).optional(),
  /** The code of the error that the whole request must end with, and words of its message. */
  error: z.strictObject({ code: z.number(), message: z.string().optional() }).optional(),
})
const caseFile = z.strictObject({
  category: z.string(),
  /** Anchors that the cases of the file refer to. */
  define: z.unknown().optional(),
  cases: z.array(simulateCase).min(1),
})

export type SimulateCase = z.infer<typeof simulateCase>

/** Every file under cases/. @throws ZodError for a file that is not a case file */
export function loadCaseFiles(): z.infer<typeof caseFile>[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => caseFile.parse(parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true })))
}
