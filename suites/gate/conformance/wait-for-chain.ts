import { type Clock, withTimeout } from '#protocol/clock/clock'
import { poll } from './poll.ts'
import type { JsonRpcClient } from './wire/json-rpc-client.ts'

/** Two sealed blocks: a parent and a child are the least that cases compare. */
const ENOUGH = 2
const ENOUGH_HEX = `0x${ENOUGH}`
const PATIENCE = 20_000

/** Waits, bounded, for a chain that has only just begun. What it then is, the cases judge. */
export async function waitForChain(
  rpc: JsonRpcClient,
  options: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { clock } = options
  await poll({ ...options, every: 50, within: PATIENCE }, async () => {
    const asked = rpc.call('eth_getBlockByNumber', ['latest', false])
    // A target that will not say is not waited for.
    const { body } = await withTimeout(clock, PATIENCE, asked, () => new Error('late')).catch(
      () => ({ body: { result: { number: ENOUGH_HEX } } }),
    )
    const { number } = (body.result ?? {}) as { number?: unknown }
    return typeof number === 'string' && Number(number) < ENOUGH ? undefined : true
  })
}
