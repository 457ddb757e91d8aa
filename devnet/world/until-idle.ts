import { setImmediate } from 'node:timers/promises'

/**
 * Resolves when nobody in this thread has anything left to do but wait for time to pass: promises have
 * settled, and no turn of the event loop is asked for. Not for what waits for files, sockets or threads.
 */
export async function untilIdle(): Promise<void> {
  do {
    await setImmediate()
  } while (process.getActiveResourcesInfo().includes('Immediate'))
}
