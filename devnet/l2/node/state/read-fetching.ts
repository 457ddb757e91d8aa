import { NodeMissing } from '#protocol/trie/node-missing'
import type { StateSource } from '#protocol/types/state'

/**
 * Runs what reads a state without waiting and changes nothing before it has read all; what it misses is
 * fetched, if the state can be, and it runs again.
 * @throws NodeMissing what cannot be fetched
 */
export async function readFetching<T>(
  { fetch }: Pick<StateSource, 'fetch'>,
  read: () => T | Promise<T>,
): Promise<T> {
  let missed: string | undefined
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof NodeMissing) || !fetch || error.hash === missed) throw error
      missed = error.hash
      await fetch(error.hash, error.kind)
    }
  }
}
