import { writeFile } from 'node:fs/promises'
import { startDevnet } from '#devnet/index'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import { GENERATED_MUTANTS, SHAPE_MUTANTS, ZOO } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import {
  createTestMnemonicDriver,
  mutantsExitCode,
  runMutants,
  shardCases,
  summariseMutants,
} from '../conformance/index.ts'
import { drawSample } from './draw-sample.ts'
import { parseMutantFlags } from './mutant-flags.ts'
import { sharesOf } from './shape-shares.ts'
import { startFullTargets } from './start-full-targets.ts'
import { readSurvivors, reasonToLive } from './survivors.ts'

/**
 * `npm run mutants [glob]`: breaks a devnet in each way the zoo knows, one at a time, and fails
 * unless the gate notices every one by a case of the broken rule. With `--shapes` (then also
 * `--shard i/n`, `--sample n --seed s`, `--record file`): those that are made from the shapes of answers,
 * and fails unless each survivor has its reason in survivors.yaml.
 */
const flags = parseMutantFlags(process.argv.slice(2))
const { hasShapes, seed } = flags
const all = hasShapes ? SHAPE_MUTANTS : [...ZOO, ...GENERATED_MUTANTS]
const sampled = flags.sample === undefined ? all : drawSample(all, { count: flags.sample, seed })
const zoo = flags.shard ? shardCases(sampled, flags.shard) : sampled
// In blobs, as chains have them: PIPE-02 is judged nowhere else.
await using devnet = await startDevnet({ dataAvailability: 'blobs' })
await using full = await startFullTargets(devnet.description, systemClock)
const { targets } = full
const end = new AbortController()
const { signal } = end
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort())
const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
const report = await runMutants({
  targets,
  driver,
  startCallerWorld,
  clock: systemClock,
  signal,
  zoo,
  ...(flags.only && { only: flags.only }),
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
const known = readSurvivors()
process.exitCode = report
  ? mutantsExitCode({
      ...report,
      outcomes: report.outcomes.filter(
        ({ id, verdict }) => verdict !== 'survived' || !reasonToLive(id, known),
      ),
    })
  : 130
