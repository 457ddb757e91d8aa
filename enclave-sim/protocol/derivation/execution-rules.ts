import type { ExecutionConfig } from '../types/execution-config.ts'
import type { RollupConfig } from './rollup-config.ts'

/**
 * What the executor must know of a chain.
 * @example
 * const executor = await createExecutor(executionRules(config))
 */
export function executionRules({
  l2ChainId,
  fork,
  upgrades,
}: Pick<RollupConfig, 'l2ChainId' | 'fork' | 'upgrades'>): ExecutionConfig {
  return { chainId: BigInt(l2ChainId), fork, ...(upgrades && { upgrades }) }
}
