import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageVersion } from '#devnet/base/package-version'
import { systemClock } from '#protocol/clock/system-clock'
import type { Violation } from '#suites/weather/checkers/checker'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { openWorld } from './open-world.ts'
import { wholeNumber } from './parse-number.ts'
import { readPlan } from './read-plan.ts'
import { UsageError } from './usage-error.ts'

const RUN = {
  name: 'run',
  says: 'Play a story, or a plan, in a world that is started for it, and judge what happened.',
  takes: { '[name]': "as in 'rollbed fault list'" },
  flags: {
    plan: text('<file>', 'a plan instead of a story: a file, or the JSON itself'),
    seed: value(
      '<n>',
      'of load and faults; default that of the plan, 0 for a story',
      wholeNumber(0),
    ),
    real: on("in what 'rollbed up' starts, on the wall clock; default: simulated"),
    out: text('<dir>', 'reports, and the log as events.ndjson'),
    json: on('one JSON object'),
  },
  examples: ['rollbed fault run l1-reorg-of-one', 'rollbed fault run --plan plan.json --real'],
} as const satisfies CommandTable

type RunFlags = FlagsOf<typeof RUN.flags>

/** `rollbed fault run`: one story, or one plan, played and judged. */
export function addFaultRun(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, RUN).action(async (name: string | undefined, flags: RunFlags) => {
    finish(await play(name, flags))
  })
}

async function play(name: string | undefined, flags: RunFlags): Promise<number> {
  const body = flags.real ? ('real' as const) : ('simulated' as const)
  const chosen = await whatToPlay(name, flags.plan)
  if (!chosen.bodies.includes(body)) {
    throw new UsageError(`'${name}' cannot be played in the ${body} world.`)
  }
  const [{ runWeather }, { againBy }] = await Promise.all([
    import('#suites/weather/run-weather'),
    import('#suites/weather/again-by'),
  ])
  const startedAt = systemClock.now()
  const plan = { ...chosen.plan, seed: flags.seed ?? chosen.plan.seed }
  const world = await openWorld(body, plan)
  const run = await runWeather(world, plan).finally(() => world.stop())
  const repro = name
    ? `rollbed fault run ${name} --seed ${plan.seed}${flags.real ? ' --real' : ''}`
    : againBy(plan, body)
  if (flags.out) {
    const { weatherResult } = await import('#suites/weather/weather-result')
    const { writeReports, REPORT_FORMATS } = await import('#reports/index')
    const about = {
      version: packageVersion,
      // biome-ignore lint/style/noRestrictedGlobals: it shows a time that the clock told
      startedAt: new Date(startedAt).toISOString(),
      body,
      duration: run.duration,
    }
    const { story, rules } = chosen
    const result = weatherResult([{ name: chosen.name, story, rules, run, repro }], about)
    mkdirSync(flags.out, { recursive: true })
    writeFileSync(join(flags.out, 'events.ndjson'), run.ndjson)
    writeFileSync(join(flags.out, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`)
    await writeReports(result, { dir: flags.out, formats: REPORT_FORMATS })
  }
  const { violations, duration } = run
  const verdict = { name: chosen.name, seed: plan.seed, violations, duration }
  if (flags.json) console.log(jsonOf('fault run', verdict))
  else console.log(`${chosen.name}: ${violationsInWords(violations)}`)
  if (violations.length === 0) return ExitCode.ok
  console.error(`Again: ${repro}`)
  return ExitCode.failed
}

async function whatToPlay(name: string | undefined, plan: string | undefined) {
  if ((name === undefined) === (plan === undefined)) {
    throw new UsageError('Say the name of a story or --plan, one of the two.')
  }
  const bodies: readonly ('real' | 'simulated')[] = ['real', 'simulated']
  if (plan !== undefined) {
    const story = 'A plan of its own.'
    return { name: 'plan', story, rules: [], bodies, plan: readPlan(plan) }
  }
  const { allStories } = await import('#suites/weather/stories/all-stories')
  const chosen = allStories.find((each) => each.name === name)
  if (!chosen) {
    throw new UsageError(`There is no story '${name}'.`, "See 'rollbed fault list'.")
  }
  return chosen
}

export function violationsInWords(violations: readonly Violation[]): string {
  if (violations.length === 0) return 'all that must hold holds.'
  const lines = violations.map(({ checker, t, problem }) => `  ${t} ms  ${checker}: ${problem}`)
  return [`${violations.length} violations.`, ...lines].join('\n')
}
