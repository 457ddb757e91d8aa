import fc from 'fast-check'
import { drawCount, drawnBy } from '#suites/weather/drawn-by'

/** Of every property; a longer search sets them (suites/prover/safety/README.md). */
const { ROLLBED_SAFETY_RUNS, ROLLBED_SAFETY_SEED = '20261121' } = process.env
export const safetySeed = Number(ROLLBED_SAFETY_SEED)
const runs = Number(ROLLBED_SAFETY_RUNS ?? drawCount(drawnBy, 8, 1 / 2))

/**
 * Checks a property on the examples and `share` × ROLLBED_SAFETY_RUNS random values and says so, with
 * its seed and what its runs came to: a property that only ever sees one outcome shows itself.
 */
export async function checkProperty<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  run: (value: T) => Promise<string>,
  { share = 1, examples = [] }: { share?: number; examples?: readonly T[] } = {},
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>()
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const outcome = await run(value)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  })
  const numRuns = examples.length + Math.max(1, Math.ceil(runs * share))
  await fc.assert(property, {
    ...{ numRuns, seed: safetySeed, endOnFailure: true },
    examples: examples.map((example): [T] => [example]),
  })
  const tally = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  process.stdout.write(`safety: ${name}: ${numRuns} runs, seed ${safetySeed}: ${tally}\n`)
  return outcomes
}
