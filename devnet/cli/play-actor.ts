import type { BaseLogger } from 'pino'
import { countRounds } from '#devnet/actors/count-rounds'
import { plainError } from '#devnet/actors/plain-error'
import { type Outcome, type Rounds, startActor } from '#devnet/actors/start-actor'
import { createLogger } from '#devnet/base/create-logger'
import { serveMetrics } from '#devnet/proving/prover/serve-metrics'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import type { ActorFlags } from './actor-flags.ts'
import { ExitCode } from './exit-code.ts'
import type { JsonOutputs } from './json-outputs.ts'
import { whileWanted } from './while-wanted.ts'

type ActorOutput = JsonOutputs['actors proposer' | 'actors challenger' | 'actors registrar']

export interface Surroundings {
  clock: Clock
  logger: BaseLogger
}

/**
 * Plays an actor for one round, or until a signal, and prints what happens.
 * @returns the exit code
 * @throws what the round of `--once` fails with, in plain words (`plainError`)
 */
export async function playActor(
  name: string,
  flags: ActorFlags,
  actorOf: (surroundings: Surroundings, ending: AbortController) => Rounds<ActorOutput>,
): Promise<number> {
  const logger = createLogger(flags.verbose ? 'info' : 'warn')
  const clock = systemClock
  const ending = new AbortController()
  const { rounds, registry } = countRounds(name, actorOf({ clock, logger }, ending))
  if (flags.once) {
    const outcome = await rounds.round().catch((error) => {
      throw plainError(error)
    })
    print(outcome, flags)
    return hasFailed(outcome) ? ExitCode.failed : ExitCode.ok
  }
  await whileWanted(async (left) => {
    const { metricsListen } = flags
    const metrics = metricsListen && (await serveMetrics(registry, metricsListen, name))
    let last = ''
    const onOutcome = (outcome: Outcome) => {
      // Waiting is news once.
      if (!outcome.idle || outcome.kind !== last) print(outcome, flags)
      last = outcome.kind
    }
    const interval = flags.interval * 1000
    const actor = startActor({ name, rounds, ending, clock, interval, logger, onOutcome })
    await left
    await actor.stop()
    await metrics?.stop()
  })
  return ExitCode.ok
}

function hasFailed(outcome: Outcome): boolean {
  const { refused = [] } = outcome as { refused?: unknown[] }
  return ['blocked', 'failed', 'stale'].includes(outcome.kind) || refused.length > 0
}

function print(outcome: Outcome, { json }: ActorFlags): void {
  console.log(json ? JSON.stringify(outcome, plain) : textOf(outcome))
}

/** `created block=10 root=0x…` */
function textOf({ kind, idle: _, ...rest }: Outcome): string {
  const words = Object.entries(rest).map(([name, value]) => {
    return `${name}=${typeof value === 'object' ? JSON.stringify(value, plain) : String(value)}`
  })
  return [kind, ...words].join(' ')
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
