import type { PublicClient } from 'viem'

/**
 * Remembers the state of anvil.
 * @returns the way back to it, to be taken once; as the answer of a `beforeEach` it is taken after
 * each test
 * @example
 * beforeEach(() => rewindPoint(client))
 */
export async function rewindPoint(
  client: Pick<PublicClient, 'request'>,
): Promise<() => Promise<void>> {
  const snapshot = await client.request({ method: 'evm_snapshot' } as never)
  return async () => {
    const isBack = await client.request({ method: 'evm_revert', params: [snapshot] } as never)
    if (!isBack) throw new Error(`anvil no longer knows snapshot ${snapshot}`)
  }
}
