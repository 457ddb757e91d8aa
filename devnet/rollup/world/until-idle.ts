import { setImmediate } from 'node:timers/promises'

/** Who waits here now, each with an immediate of its own that is no work. */
let waiting = 0

/**
 * Resolves when nobody in this thread has anything left to do but wait for time to pass: promises have
 * settled, and no turn of the event loop is asked for. Not for what waits for files, sockets or threads.
 */
export async function untilIdle(): Promise<void> {
  waiting += 1
  try {
    do {
      await setImmediate()
    } while (immediates() > waiting - 1)
  } finally {
    waiting -= 1
  }
}

const immediates = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'Immediate').length
