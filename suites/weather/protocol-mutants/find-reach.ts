import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Draw } from './draw-mutants.ts'
import { ROOT } from './protocol-files.ts'

const FOLDER = 'suites/weather/protocol-mutants'
const MOST_OUTPUT = 2 ** 28

/**
 * Which seeds come to which drawn place, found by playing each once with nothing changed: until a run comes to its
 * place a mutant is the program that it was made of, so that runs which never do so say nothing of it.
 * @param first of the seeds; each of the others is the next
 * @returns seeds by the id of a mutation
 */
export async function findReach(
  draw: Draw,
  { first, runs }: { first: number; runs: number },
): Promise<Map<string, number[]>> {
  const args = ['--import', `./${FOLDER}/trace-hooks.ts`, `${FOLDER}/reach-here.ts`, runs, first]
  const { stdout } = await promisify(execFile)(process.execPath, args.map(String), {
    ...{ cwd: ROOT, maxBuffer: MOST_OUTPUT },
    env: { ...process.env, ROLLBED_PROTOCOL_DRAW: JSON.stringify(draw) },
  })
  const seedsOf = new Map<string, number[]>()
  for (const line of stdout.split('\n').filter(Boolean)) {
    const { seed, ids } = JSON.parse(line) as { seed: number; ids: string[] }
    for (const id of ids) seedsOf.set(id, [...(seedsOf.get(id) ?? []), seed])
  }
  return seedsOf
}
