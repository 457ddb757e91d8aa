import type { BaseLogger } from 'pino'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { plainError } from './plain-error.ts'

/** What one round of an actor came to. */
export interface Outcome {
  /** What happened, in the actor's own words. */
  kind: string
  /** Nothing to do until the chain moves on; false: the next round may follow at once. */
  idle: boolean
}

/** The living part of an actor: rounds, one after the other. */
export interface Rounds<T extends Outcome = Outcome> {
  round(): Promise<T>
}

/** How an actor is run, and who hears of it. */
export interface RoundOptions {
  /** Milliseconds between two rounds with nothing to do. @default 2000 */
  interval?: number
  /** By which the rounds follow each other. @default the actor's clock */
  pace?: Clock
  onOutcome?: ((outcome: Outcome) => void) | undefined
  /** A round failed, and why; it will be made again. */
  onFailure?: ((reason: string) => void) | undefined
}

export interface ActorOptions extends RoundOptions {
  name: string
  rounds: Rounds
  /** Aborting it ends what a round waits for; `stop` does. */
  ending: AbortController
  clock: Clock
  logger: BaseLogger
}

/** Longest pause after failures, milliseconds. */
const MAX_PAUSE = 60_000

/**
 * Runs an actor until it is stopped. A round that fails is logged and followed by a pause that
 * doubles with every further failure, up to a minute.
 */
export function startActor(options: ActorOptions): OwnedResource {
  const { name, rounds, ending, clock, pace = clock, interval = 2000 } = options
  const { onOutcome, onFailure } = options
  const { signal } = ending
  let failures = 0

  /** Milliseconds until the next round. */
  async function round(): Promise<number> {
    try {
      const outcome = await rounds.round()
      failures = 0
      onOutcome?.(outcome)
      return outcome.idle ? interval : 0
    } catch (error) {
      if (signal.aborted) return 0
      failures += 1
      const pause = Math.min(interval * 2 ** Math.min(failures, 20), Math.max(MAX_PAUSE, interval))
      const why = reasonOf(error)
      onFailure?.(why.reason)
      options.logger.warn({ actor: name, failures, pause, ...why }, 'round failed')
      return pause
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) await sleep(pace, await round(), signal).catch(() => {})
  }

  const running = run()
  return {
    async stop() {
      ending.abort(new RollbedError('ACTOR_STOPPED', `The ${name} was stopped.`))
      await running
    },
  }
}

function reasonOf(error: unknown) {
  const { code, message, hint } = plainError(error)
  return { code, reason: message, ...(hint && { hint }) }
}
