import { systemClock } from '#protocol/clock/system-clock'
import { watchNpx } from './watch-npx.ts'

/**
 * Does what a command does until nobody wants it any more.
 * @param work gets a promise that resolves with the first SIGINT, SIGTERM or SIGHUP, or once the npx is gone that
 *   began this command; a second signal ends the process at once
 */
export async function whileWanted<T>(work: (left: Promise<unknown>) => Promise<T>): Promise<T> {
  const npx = watchNpx(systemClock)
  const signals = watchSignals()
  try {
    return await work(Promise.race([signals.received, npx.gone]))
  } finally {
    npx.cancel()
    signals.forget()
  }
}

/** SIGHUP: the terminal was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function watchSignals(): { received: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isReceived = false
  const onSignal = () => {
    if (isReceived) process.exit(130)
    isReceived = true
    resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    received: promise,
    // What keeps the process after its work then ends by a signal as any other does.
    forget() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
