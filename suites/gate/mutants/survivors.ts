import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { matchesId } from '../conformance/index.ts'

const FILE = join(import.meta.dirname, 'survivors.yaml')

const listSchema = z.array(
  z.strictObject({
    /** Ids of mutants or globs of them, separated by commas. */
    mutant: z.string().min(1),
    /** Why the gate cannot or need not notice. */
    reason: z.string().min(10),
  }),
)

export type KnownSurvivor = z.infer<typeof listSchema>[number]

/** Generated mutants that live, each with its reason. */
export function readSurvivors(): KnownSurvivor[] {
  return listSchema.parse(parse(readFileSync(FILE, 'utf8')) ?? [])
}

/** Why a mutant may live; undefined where nobody has said so. */
export function reasonToLive(id: string, survivors: readonly KnownSurvivor[]): string | undefined {
  return survivors.find(({ mutant }) => matchesId(id, mutant))?.reason
}
