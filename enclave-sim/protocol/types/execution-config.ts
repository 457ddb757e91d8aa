import type { Schedule } from './schedule.ts'

/** Which OP upgrade's rules hold, from genesis on. */
export type Fork = 'isthmus' | 'jovian'

/** What fixes the execution rules of one L2 chain. */
export interface ExecutionConfig {
  chainId: bigint
  fork: Fork
  /** Upgrades of Base; without it the chain has none. */
  upgrades?: Schedule
}
