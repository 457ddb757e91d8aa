import type { Logger } from 'pino'
import type { SteadyClock } from '#protocol/clock/steady-clock'

/** Says when somebody moved the wall clock, and what that does. Returns how to be silent again. */
export function reportClockSteps(clock: SteadyClock, logger: Logger): () => void {
  return clock.onStep(({ by, ahead }) => {
    const moved = `The clock of this machine moved ${by < 0 ? 'back' : 'forward'} by ${seconds(by)}.`
    const outcome =
      ahead > 0
        ? `Blocks go on at their pace; their timestamps are ${seconds(ahead)} ahead of it.`
        : 'Block timestamps follow it: L2 makes the blocks in between now.'
    logger.warn({ by, ahead }, `${moved} ${outcome}`)
  })
}

function seconds(milliseconds: number): string {
  return `${Math.round(Math.abs(milliseconds) / 1000)} s`
}
