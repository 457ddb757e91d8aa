import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { ExitCode } from './exit-code.ts'
import { wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

interface SwarmFlags {
  runs: number
  seed: number
  shard?: string
  out?: string
  json?: boolean
}

/** `rollbed fault swarm`: random weather, run after run, until something breaks. */
export function addFaultSwarm(fault: Command, finish: (exitCode: number) => void): void {
  fault
    .command('swarm')
    .description(
      'Play random faults under random load in simulated worlds, until something breaks.',
    )
    .addOption(
      new Option('--runs <n>', 'in all shards together')
        .argParser(wholeNumber('--runs', 1, 1_000_000))
        .default(100),
    )
    .addOption(
      new Option('--seed <n>', 'of the first run; each of the others has the next')
        .argParser(wholeNumber('--seed', 0, Number.MAX_SAFE_INTEGER - 1_000_000))
        .default(0),
    )
    .option(
      '--shard <i/n>',
      'this part of the runs, as in 0/4; default JOB_COMPLETION_INDEX/JOB_COMPLETIONS',
    )
    .option(
      '--out <dir>',
      "of the first run that failed: events.ndjson, and plan.json for 'replay'",
    )
    .option('--json', 'one JSON object')
    .action(async (flags: SwarmFlags) => {
      finish(await swarm(flags))
    })
}

async function swarm({ runs, seed, out, json, ...flags }: SwarmFlags): Promise<number> {
  const shard = shardOf(flags.shard, process.env.JOB_COMPLETION_INDEX)
  const { playSwarm } = await import('../../suites/weather/swarm/play-swarm.ts')
  const result = await playSwarm({ runs, seed, shard, progress: progress() })
  const { failure, played, never, reached } = result
  const repro = failure && `rollbed fault swarm --seed ${failure.seed} --runs 1 --shard 0/1`
  if (failure && out) {
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'events.ndjson'), failure.ndjson)
    writeFileSync(join(out, 'plan.json'), `${JSON.stringify(failure.plan, null, 2)}\n`)
  }
  if (json) {
    const { ndjson: _, ...failed } = failure ?? { ndjson: '' }
    console.log(
      JSON.stringify({ played, reached, never, ...(failure && { failure: failed, repro }) }),
    )
  } else {
    const met = Object.keys(reached).length - never.length
    console.log(`${played} runs. ${met} of ${Object.keys(reached).length} things were reached.`)
    if (never.length > 0) console.log(`Never: ${never.join(', ')}.`)
  }
  if (!failure) return ExitCode.ok
  for (const { t, checker, problem } of failure.violations) {
    console.error(`  ${t} ms  ${checker}: ${problem}`)
  }
  console.error(`Again: ${repro}`)
  return ExitCode.failed
}

/**
 * @param told `i/n`, with i from 0
 * @param completionIndex of a Kubernetes Indexed Job; it is i where `told` is `/n`
 */
function shardOf(told: string | undefined, completionIndex: string | undefined) {
  if (told === undefined && completionIndex === undefined) return { index: 0, of: 1 }
  const completions = process.env.JOB_COMPLETIONS
  const text = told ?? `${completionIndex}/${completions}`
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (index === undefined || Number(index) >= Number(of)) {
    throw new UsageError(
      `'${text}' is no shard.`,
      'Say --shard 0/4 to 3/4, or set JOB_COMPLETION_INDEX and JOB_COMPLETIONS.',
    )
  }
  return { index: Number(index), of: Number(of) }
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
