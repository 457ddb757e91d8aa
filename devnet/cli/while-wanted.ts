import { systemClock } from '#protocol/clock/system-clock'
import { watchNpx } from './watch-npx.ts'

/**
 * Does what a command does until nobody wants it any more.
 * @param work gets a promise that resolves with the first SIGINT, SIGTERM or SIGHUP, or once the npx is gone that
 *   began this command; a second signal ends the process at once
 */
export async function whileWanted<T>(work: (left: Promise<unknown>) => Promise<T>): Promise<T> {
  const npx = watchNpx(systemClock)
  try {
    return await work(Promise.race([untilSignal(), npx.gone]))
  } finally {
    npx.cancel()
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let received = false
    const onSignal = () => {
      if (received) process.exit(130)
      received = true
      resolve()
    }
    // SIGHUP: the terminal was closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}
