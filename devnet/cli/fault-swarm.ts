import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { parseUpgrades } from '#devnet/base/options/upgrade-options'
import { packageVersion } from '#devnet/base/package-version'
import { systemClock } from '#protocol/clock/system-clock'
import type { SwarmFailure, SwarmResult } from '#suites/weather/swarm/play-swarm'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, off, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { openWorld } from './open-world.ts'
import { wholeNumber } from './parse-number.ts'
import { readingCorpus } from './reading-corpus.ts'
import { type Shard, shardOf } from './shard-of.ts'

const SWARM = {
  name: 'swarm',
  says: 'Play random faults under random load, run after run, until something breaks; then shrink it.',
  flags: {
    runs: value('<n>', 'in all shards together', wholeNumber(1, 1_000_000), { default: 100 }),
    seed: value(
      '<n>',
      'of the first run; each of the others has the next',
      wholeNumber(0, Number.MAX_SAFE_INTEGER - 1_000_000),
      { default: 0 },
    ),
    shard: text(
      '<i/n>',
      'this part of the runs, as in 0/4; default JOB_COMPLETION_INDEX/JOB_COMPLETIONS',
    ),
    upgrades: value(
      '<list>',
      "of every run, as of 'rollbed up'; default: one run of four crosses to blocks of 200 ms",
      () => parseUpgrades,
    ),
    real: on("in what 'rollbed up' starts, on the wall clock; default: simulated"),
    corpus: text(
      '<dir>',
      'what was found before: it is played first, and what is found goes into it',
    ),
    goOn: on('after a run that broke something, too'),
    explore: value(
      '<n>',
      'futures of each run that came to something first: the same beginning, then other faults; every second run is one',
      wholeNumber(0, 1_000),
      { default: 0 },
    ),
    shrink: off('leave the plan of a run that broke something as it is'),
    out: text(
      '<dir>',
      'reports; coverage.html and coverage.json, which faults met which states; of the first run that failed: events.ndjson, plan.json, shrunk.json',
    ),
    json: on('one JSON object'),
  },
  examples: [
    'rollbed fault swarm --runs 20 --seed 7',
    'rollbed fault swarm --upgrades azul=genesis,denim=+10s',
    'rollbed fault swarm --shard 0/4 --out out',
    'rollbed fault swarm --runs 400 --explore 20',
  ],
} as const satisfies CommandTable

type SwarmFlags = FlagsOf<typeof SWARM.flags>

/** `rollbed fault swarm`: random weather, run after run, until something breaks. */
export function addFaultSwarm(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, SWARM).action(async (flags: SwarmFlags) => {
    finish(await swarm(flags))
  })
}

async function swarm(flags: SwarmFlags): Promise<number> {
  const { runs, seed, upgrades, out, goOn = false, shrink, explore, corpus: folder } = flags
  const shard = shardOf(flags.shard, process.env)
  const body = flags.real ? ('real' as const) : ('simulated' as const)
  const [{ playSwarm }, { againBy }, { summariseSwarm }] = await Promise.all([
    import('#suites/weather/swarm/play-swarm'),
    import('#suites/weather/again-by'),
    import('#suites/weather/swarm/summarise-swarm'),
  ])
  const began = systemClock.now()
  const corpus = folder === undefined ? undefined : await corpusOf(folder, { body, shard })
  const result = await playSwarm({
    ...{ runs, seed, shard, goOn, shrink, explore, ...(corpus && { corpus }) },
    ...(upgrades && { world: { upgrades } }),
    open: (options) => openWorld(body, options),
    progress: progress(),
    found: tellViolations,
  })
  const failures = result.failures.map((failure) => ({
    ...failure,
    again: againBy(failure.shrunk?.plan ?? failure.plan, body),
  }))
  if (out) await write(result, { out, body, seed, shard, began })
  if (flags.json) {
    const printed = failures.map(({ ndjson: _, ...failure }) => failure)
    console.log(jsonOf('fault swarm', { ...result, failures: printed }))
  } else console.log(summariseSwarm(result))
  for (const failure of failures) tellFailure(failure)
  return failures.length > 0 ? ExitCode.failed : ExitCode.ok
}

async function corpusOf(folder: string, about: { body: 'real' | 'simulated'; shard: Shard }) {
  const { openCorpus } = await import('#suites/weather/corpus/open-corpus')
  // biome-ignore lint/style/noRestrictedGlobals: it shows a time that the clock told
  const now = () => new Date(systemClock.now()).toISOString()
  return readingCorpus(() => openCorpus(folder, { ...about, now }))
}

/** At once: a long swarm may be ended before its end, and shrinking takes minutes. */
export function tellViolations({ seed, violations, guilty }: SwarmFailure): void {
  // On a terminal the cursor stands behind the line of progress.
  const from = process.stderr.isTTY ? '\r\x1b[K' : ''
  console.error(`${from}Seed ${seed}:`)
  for (const { t, checker, problem } of violations) {
    console.error(`  ${t} ms  ${checker}: ${problem}`)
  }
  if (guilty) console.error(`  First by what the ${guilty} put out.`)
}

export function tellFailure({ seed, plan, shrunk, again }: SwarmFailure & { again: string }): void {
  const least = shrunk ? `, shrunk to ${shrunk.plan.faults.length} in ${shrunk.plays} plays` : ''
  console.error(`Seed ${seed}: ${plan.faults.length} faults${least}.`)
  console.error(`Again: ${again}`)
}

async function write(
  result: SwarmResult,
  about: { out: string; body: 'real' | 'simulated'; seed: number; shard: Shard; began: number },
): Promise<void> {
  const { out, body, seed, shard, began } = about
  const [{ swarmResult }, { toCoverageHtml }, { writeReports, REPORT_FORMATS }] = await Promise.all(
    [
      import('#suites/weather/swarm/swarm-result'),
      import('#suites/weather/swarm/to-coverage-html'),
      import('#reports/index'),
    ],
  )
  mkdirSync(out, { recursive: true })
  const record = swarmResult(result, {
    ...{ body, seed, shard, version: packageVersion },
    // biome-ignore lint/style/noRestrictedGlobals: it shows a time that the clock told
    startedAt: new Date(began).toISOString(),
    duration: systemClock.now() - began,
  })
  await writeReports(record, { dir: out, formats: REPORT_FORMATS })
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  writeFileSync(join(out, 'coverage.html'), toCoverageHtml(result))
  writeFileSync(join(out, 'coverage.json'), json(result.reached))
  const [failure] = result.failures
  if (!failure) return
  writeFileSync(join(out, 'events.ndjson'), failure.ndjson)
  writeFileSync(join(out, 'plan.json'), json(failure.plan))
  if (failure.shrunk) writeFileSync(join(out, 'shrunk.json'), json(failure.shrunk.plan))
}

/** How far it is, how fast, and how long it still takes; on a terminal in one line. */
function progress(): (played: number, of: number) => void {
  const began = systemClock.now()
  const { isTTY } = process.stderr
  return (played, of) => {
    if (!isTTY && played % 10 !== 0 && played !== of) return
    const seconds = Math.max(0.001, (systemClock.now() - began) / 1000)
    const left = Math.round((seconds / played) * (of - played))
    const rate = ((played / seconds) * 60).toFixed(1)
    const line = `${played}/${of} runs, ${rate} a minute, about ${left} s left`
    process.stderr.write(isTTY ? `\r${line}\x1b[K${played === of ? '\n' : ''}` : `${line}\n`)
  }
}
