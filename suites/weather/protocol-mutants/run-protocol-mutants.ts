import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { drawMutants } from './draw-mutants.ts'
import { findReach } from './find-reach.ts'
import type { MutantOutcome } from './mutant-outcome.ts'
import { playMutant } from './play-mutant.ts'
import { reasonToLive } from './reason-to-live.ts'
import { isEnough, tableOf } from './table-of.ts'

/**
 * `npm run protocol-mutants [-- PATTERN] [--sample 2 --draw 60 --seed 1 --shard 0/4 --runs 12 --of 40 --first 1 --least 0.9 --record FILE]`:
 * changes the protocol in one small place at a time, and plays runs against each change in a process of its own. First
 * `--of` runs are played with nothing changed, from the seed `--first` on, to see which come to which place; a change is
 * played in the first `--runs` of those that come to its own, until one finds it. `--sample` is how many of each file,
 * drawn by `--seed`, and `--draw` how many of these, spread over the parts. It fails where a smaller share than `--least`
 * is found, of those that have no reason to live.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    draw: { type: 'string' },
    seed: { type: 'string', default: '1' },
    shard: { type: 'string', default: '0/1' },
    runs: { type: 'string', default: '12' },
    of: { type: 'string', default: '40' },
    first: { type: 'string', default: '1' },
    least: { type: 'string', default: '0' },
    record: { type: 'string' },
  },
})
const [index, of] = values.shard.split('/').map(Number)
const draw = {
  ...{ count: Number(values.sample), seed: Number(values.seed) },
  most: values.draw === undefined ? undefined : Number(values.draw),
  ...{ shard: { index: index!, of: of! }, pattern: positionals[0] ?? '' },
}
const mutants = drawMutants(draw)
const seeds = { first: Number(values.first), runs: Number(values.of) }
const reach = await findReach(draw, seeds)
const outcomes: MutantOutcome[] = []
for (const { part, mutation } of mutants) {
  const those = (reach.get(mutation.id) ?? []).slice(0, Number(values.runs))
  const outcome = await playMutant(mutation, part, those)
  outcomes.push(outcome)
  const { id, verdict, runs, from, to } = outcome
  const change = `${from.replaceAll(/\s+/g, ' ').slice(0, 80)} => ${to.slice(0, 60)}`
  process.stdout.write(
    `${outcomes.length}/${mutants.length} ${verdict} ${runs} ${id} | ${change} | ${howOf(outcome)}\n`,
  )
  if (values.record) {
    const { seed, runs, first, of } = values
    const about = { seed: Number(seed), runs: Number(runs), first: Number(first), of: Number(of) }
    await writeFile(values.record, `${JSON.stringify({ ...about, outcomes }, null, 2)}\n`)
  }
}
process.stdout.write(`${tableOf(outcomes)}\n`)
process.exitCode = isEnough(outcomes, Number(values.least)) ? 0 : 1

function howOf(outcome: MutantOutcome): string {
  const { verdict, checker, guilty, problem, isReached } = outcome
  if (verdict === 'found') return `by ${checker}, of ${guilty ?? 'nobody'}: ${problem}`
  if (verdict === 'nothing') return problem ?? ''
  return isReached ? (reasonToLive(outcome) ?? 'lives without a reason') : 'never reached'
}
