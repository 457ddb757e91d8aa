import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { anyNumber, wholeNumber } from '#suites/number-flags'
import { drawMutants } from './draw-mutants.ts'
import { findReach } from './find-reach.ts'
import type { MutantOutcome } from './mutant-outcome.ts'
import { playMutant } from './play-mutant.ts'
import { reasonToLive } from './reason-to-live.ts'
import { isEnough, tableOf } from './table-of.ts'

interface Flags {
  sample: number
  draw?: number
  seed: number
  shard: string
  runs: number
  of: number
  first: number
  least: number
  record?: string
}

const command = new Command('npm run protocol-mutants --')
  .description(
    'Changes the protocol in one small place at a time, and plays runs against each change in a process of its own. First runs are played with nothing changed, to see which come to which place; a change is played in the first of those that come to its own, until one finds it.',
  )
  .argument('[pattern]', 'a part of their ids', '')
  .option('--sample <n>', 'changes of each file, drawn by the seed', wholeNumber, 1)
  .option('--draw <n>', 'how many of these, spread over the parts', wholeNumber)
  .option('--seed <n>', 'of both draws', wholeNumber, 1)
  .option('--shard <part>', 'such as 0/4', '0/1')
  .option('--runs <n>', 'against each change', wholeNumber, 12)
  .option('--of <n>', 'runs with nothing changed', wholeNumber, 40)
  .option('--first <seed>', 'of the runs', wholeNumber, 1)
  .option(
    '--least <share>',
    'found of those that have no reason to live, from 0 to 1; below it fails',
    anyNumber,
    0,
  )
  .option('--record <file>', 'write what the page is made of')
  .parse()
const values = command.opts<Flags>()
const [index, of] = values.shard.split('/').map(Number)
const draw = {
  ...{ count: values.sample, seed: values.seed },
  most: values.draw,
  ...{ shard: { index: index!, of: of! }, pattern: command.processedArgs[0] as string },
}
const mutants = drawMutants(draw)
const seeds = { first: values.first, runs: values.of }
const reach = await findReach(draw, seeds)
const outcomes: MutantOutcome[] = []
for (const { part, mutation } of mutants) {
  const those = (reach.get(mutation.id) ?? []).slice(0, values.runs)
  const outcome = await playMutant(mutation, part, those)
  outcomes.push(outcome)
  const { id, verdict, runs, from, to } = outcome
  const change = `${from.replaceAll(/\s+/g, ' ').slice(0, 80)} => ${to.slice(0, 60)}`
  process.stdout.write(
    `${outcomes.length}/${mutants.length} ${verdict} ${runs} ${id} | ${change} | ${howOf(outcome)}\n`,
  )
  if (values.record) {
    const { seed, runs, first, of } = values
    const about = { seed, runs, first, of }
    await writeFile(values.record, `${JSON.stringify({ ...about, outcomes }, null, 2)}\n`)
  }
}
process.stdout.write(`${tableOf(outcomes)}\n`)
process.exitCode = isEnough(outcomes, values.least) ? 0 : 1

function howOf(outcome: MutantOutcome): string {
  const { verdict, checker, guilty, problem, isReached } = outcome
  if (verdict === 'found') return `by ${checker}, of ${guilty ?? 'nobody'}: ${problem}`
  if (verdict === 'nothing') return problem ?? ''
  return isReached ? (reasonToLive(outcome) ?? 'lives without a reason') : 'never reached'
}
