import type { BaseLogger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { withDeadline } from './with-deadline.ts'

/** Milliseconds a node has to answer at start. */
const TIMEOUT = 3000

/**
 * Asks L1 and L2 which chain they serve, and tells what does not fit. The host starts all the same,
 * as it does without its enclaves (OPEN-88): hosts and nodes come up in any order.
 */
export async function checkUpstreams(options: {
  l1: RpcClient
  l2: RpcClient
  chain: RollupConfig
  clock: Clock
  logger: BaseLogger
}): Promise<void> {
  const { l1, l2, chain, clock, logger } = options
  async function check(name: 'L1' | 'L2', rpc: RpcClient, expected: number) {
    const onTimeout = () => new Error(`no answer within ${TIMEOUT / 1000} s`)
    try {
      const served = await withDeadline({ clock, delay: TIMEOUT, onTimeout }, (signal) =>
        rpc.request('eth_chainId', [], signal),
      )
      if (Number(served) === expected) return
      logger.error({ expected, served: Number(served) }, `the ${name} URL leads to another chain`)
    } catch (error) {
      logger.warn({ reason: (error as Error).message }, `${name} is not reached yet`)
    }
  }
  await Promise.all([check('L1', l1, chain.l1ChainId), check('L2', l2, chain.l2ChainId)])
}
