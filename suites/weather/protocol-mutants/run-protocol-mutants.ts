import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { drawMutants } from './draw-mutants.ts'
import { playMutant } from './play-mutant.ts'
import { tableOf } from './table-of.ts'

/**
 * `npm run protocol-mutants [-- PATTERN] [--sample 2 --draw 60 --seed 1 --shard 0/4 --runs 150 --first 1 --record FILE]`: changes
 * the protocol in one small place at a time, and plays a swarm against each change in a process of its own. `--sample`
 * is how many of each file, drawn by `--seed`, and `--draw` how many of these, spread over the parts; `--first` is the seed of the first run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    draw: { type: 'string' },
    seed: { type: 'string', default: '1' },
    shard: { type: 'string', default: '0/1' },
    runs: { type: 'string', default: '150' },
    first: { type: 'string', default: '1' },
    record: { type: 'string' },
  },
})
const [index, of] = values.shard.split('/').map(Number)
const mutants = drawMutants({
  ...{ count: Number(values.sample), seed: Number(values.seed) },
  most: values.draw === undefined ? undefined : Number(values.draw),
  ...{ shard: { index: index!, of: of! }, pattern: positionals[0] ?? '' },
})
const outcomes = []
for (const { part, mutation } of mutants) {
  const outcome = await playMutant(mutation, part, {
    ...{ runs: Number(values.runs), seed: Number(values.first) },
  })
  outcomes.push(outcome)
  const { id, verdict, runs, isReached, checker = '', guilty = '', problem = '' } = outcome
  const how =
    verdict === 'found'
      ? `by ${checker}, of ${guilty}: ${problem}`
      : isReached
        ? ''
        : 'never reached'
  process.stdout.write(
    `${outcomes.length}/${mutants.length} ${verdict} ${runs} ${id} | ${outcome.from.replaceAll(/\s+/g, ' ').slice(0, 80)} => ${outcome.to.slice(0, 60)} | ${how}\n`,
  )
  if (values.record)
    await writeFile(
      values.record,
      `${JSON.stringify({ seed: Number(values.seed), runs: Number(values.runs), outcomes }, null, 2)}\n`,
    )
}
process.stdout.write(`${tableOf(outcomes)}\n`)
