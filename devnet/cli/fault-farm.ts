import type { Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import type { FarmResult } from '#suites/weather/farm/play-farm'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { tellFailure, tellViolations } from './fault-swarm.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { openWorld } from './open-world.ts'
import { duration } from './parse-duration.ts'
import { wholeNumber } from './parse-number.ts'
import { readingCorpus } from './reading-corpus.ts'
import { shardOf } from './shard-of.ts'
import { UsageError } from './usage-error.ts'

const FARM = {
  name: 'farm',
  says: 'Play what was found before, the oldest first, and then random weather for hours; what it finds goes into the corpus.',
  flags: {
    corpus: text('<dir>', 'what was found, from run to run; made where it is missing', {
      isRequired: true,
    }),
    for: value('<time>', 'as in 90s, 30m, 8h, 2d: no run begins after it', duration),
    runs: value('<n>', 'that are drawn, in all shards together', wholeNumber(0, 1_000_000_000)),
    seed: value(
      '<n>',
      'of the first run that is drawn; default by the hour, so that parts that begin together draw as one, and no night repeats another',
      wholeNumber(0, Number.MAX_SAFE_INTEGER - 1_000_000_000),
    ),
    shard: text(
      '<i/n>',
      'this part of the runs, as in 0/4; default JOB_COMPLETION_INDEX/JOB_COMPLETIONS',
    ),
    build: text('<label>', 'what is played; default the commit, or the version'),
    real: on("in what 'rollbed up' starts, on the wall clock; default: simulated"),
    json: on('one JSON object'),
  },
  examples: [
    'rollbed fault farm --corpus weather --for 8h',
    'rollbed fault farm --corpus weather --runs 0',
  ],
} as const satisfies CommandTable

/** More than all parts of a farm draw in an hour. */
const SEEDS_AN_HOUR = 1_000_000

type FarmFlags = FlagsOf<typeof FARM.flags>

/** `rollbed fault farm`: a swarm that remembers, for as long as there is time. */
export function addFaultFarm(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, FARM).action(async (flags: FarmFlags) => {
    finish(await farm(flags))
  })
}

async function farm(flags: FarmFlags): Promise<number> {
  if (flags.for === undefined && flags.runs === undefined) {
    throw new UsageError('Say for how long, by --for, or how often, by --runs.')
  }
  const shard = shardOf(flags.shard, process.env)
  const body = flags.real ? ('real' as const) : ('simulated' as const)
  const [{ playFarm }, { openCorpus }, { writeCorpusPage }, { againBy }] = await Promise.all([
    import('#suites/weather/farm/play-farm'),
    import('#suites/weather/corpus/open-corpus'),
    import('#suites/weather/corpus/write-corpus-page'),
    import('#suites/weather/again-by'),
  ])
  // biome-ignore lint/style/noRestrictedGlobals: it shows a time that the clock told
  const now = () => new Date(systemClock.now()).toISOString()
  const corpus = readingCorpus(() =>
    openCorpus(flags.corpus, { body, shard, build: flags.build, now }),
  )
  const seed = flags.seed ?? Math.floor(systemClock.now() / 3_600_000) * SEEDS_AN_HOUR
  const result = await playFarm({
    ...{ corpus, shard, seed, clock: systemClock },
    ...(flags.for !== undefined && { lasts: flags.for }),
    ...(flags.runs !== undefined && { runs: flags.runs }),
    cpu: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000
    },
    open: (options) => openWorld(body, options),
    progress: (played) => {
      if (played % 50 === 0) console.error(`${played} runs`)
    },
    found: tellViolations,
  })
  const { broken, mended } = writeCorpusPage(flags.corpus, corpus.failures)
  const failures = result.failures.map((failure) => ({
    ...failure,
    again: againBy(failure.shrunk?.plan ?? failure.plan, body),
  }))
  if (flags.json) {
    const printed = failures.map(({ ndjson: _, ...failure }) => failure)
    console.log(jsonOf('fault farm', { ...result, seed, broken, mended, failures: printed }))
  } else {
    console.log(inWords(result, seed))
    console.log(`${broken} broken, ${mended} mended: ${flags.corpus}/found.html`)
  }
  for (const failure of failures.filter(({ known }) => known === undefined)) tellFailure(failure)
  return failures.length > 0 ? ExitCode.failed : ExitCode.ok
}

function inWords({ again, played, failures, playsPerCpuHour }: FarmResult, seed: number): string {
  const known = failures.filter((failure) => failure.known !== undefined).length
  return [
    `${again} known failures played again, ${played} runs drawn from seed ${seed} on.`,
    `${failures.length} broke something, ${failures.length - known} of them something new.`,
    `${Math.round(playsPerCpuHour)} plays in an hour of CPU.`,
  ].join('\n')
}
