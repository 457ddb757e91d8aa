import type { OpenedFork } from '#devnet/base/fork/open-fork'
import type { Profile } from '#devnet/base/options/devnet-description'
import type { Clock } from '#protocol/clock/clock'
import type { Address } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { ChainView } from '../chain-view.ts'
import type { ProfileValues } from './profile-differences.ts'

/** Which chain a node's RPC shows, and how. */
export interface ShownChainOptions {
  chain: ChainView
  config: ExecutionConfig
  clock: Clock
  /** By which work is cut into slices, and given up; default: `clock`. */
  machine?: Clock
  /** Default `spec`; `base` on a chain that crosses Denim. */
  profile?: Profile
  /** false: `pending` is `latest`, and what only pre-confirmations give is not offered. Default true. */
  preconfirmations?: boolean
  /** Seconds between L2 blocks; default 2. */
  blockTime?: number
  /** The widest `toBlock - fromBlock` of eth_getLogs; default: as the profile says (LIM-01). */
  logsRange?: number | undefined
  /** Blocks by which the environment of eth_call at pending lags (OPEN-05); default 0. */
  pendingEnvLag?: number
  /** The chain that lies below this one. */
  fork?: OpenedFork | undefined
  /** Who registered a builder code (ATTR-05); default: nobody did. */
  walletOf?(code: string): Address | undefined
}

/** The chain as one of the node's paths shows it. `preconfirmations` is of the moment: Denim ends them. */
export interface ShownChain
  extends Required<Omit<ShownChainOptions, 'profile' | 'logsRange' | 'fork'>> {
  fork: OpenedFork | undefined
  profile: ProfileValues
}
