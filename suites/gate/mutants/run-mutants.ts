import { writeFile } from 'node:fs/promises'
import { GENERATED_MUTANTS, SHAPE_MUTANTS, ZOO } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import {
  type MutantReport,
  matchesId,
  mutantsExitCode,
  shardCases,
  summariseMutants,
} from '../conformance/index.ts'
import { drawSample } from './draw-sample.ts'
import { MUTANT_HELP, type MutantFlags, parseMutantFlags } from './mutant-flags.ts'
import { playMutants } from './play-mutants.ts'
import { sharesOf } from './shape-shares.ts'
import { readSurvivors, reasonToLive } from './survivors.ts'

/** `npm run mutants`; `-- --help` says how. */
const args = process.argv.slice(2)
if (args.some((arg) => arg === '--help' || arg === '-h')) {
  process.stdout.write(`${MUTANT_HELP}\n`)
  process.exit()
}
const flags = flagsOf(args)
const { hasShapes, isReplayed, seed, only } = flags
const all = hasShapes ? SHAPE_MUTANTS : [...ZOO, ...GENERATED_MUTANTS]
const sampled = flags.sample === undefined ? all : drawSample(all, { count: flags.sample, seed })
const sharded = flags.shard ? shardCases(sampled, flags.shard) : sampled
const zoo = sharded.filter(
  ({ id, area, rule }) => !only || [id, area, rule].some((name) => matchesId(name, only)),
)
const end = new AbortController()
const { signal } = end
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort())
const report = await playMutants({
  signal,
  zoo,
  isReplayed,
  onProgress: ({ done, total, outcome }) =>
    process.stderr.write(`${done}/${total} ${outcome.verdict} ${outcome.id}\n`),
}).catch((error: unknown) => {
  if (!signal.aborted) throw error
})
if (report && flags.record) {
  // biome-ignore lint/style/noRestrictedGlobals: formats a moment the clock gave, reads none
  const date = new Date(systemClock.now()).toISOString().slice(0, 10)
  const shares = sharesOf(report, { date, seed, all: all.length })
  await writeFile(flags.record, `${JSON.stringify(shares, null, 2)}\n`)
}
if (report) process.stdout.write(`${summariseMutants(report)}\n`)
process.exitCode = report ? exitCodeOf(report) : 130

/** Every target is there, so each mutant is to be played. */
function exitCodeOf(report: MutantReport): number {
  const known = readSurvivors()
  const outcomes = report.outcomes.filter(
    ({ id, verdict }) => verdict !== 'survived' || !reasonToLive(id, known),
  )
  const areAllPlayed = outcomes.every(({ verdict }) => verdict !== 'not-run')
  return areAllPlayed ? mutantsExitCode({ ...report, outcomes }) : 1
}

/** What is no flag is said in one sentence, and not by a stack. */
function flagsOf(args: readonly string[]): MutantFlags {
  try {
    return parseMutantFlags(args)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    process.stderr.write(`${error.message}\nSee 'npm run mutants -- --help'.\n`)
    process.exit(2)
  }
}
