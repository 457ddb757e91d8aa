import { bytesToBigInt } from '#protocol/bytes/bytes-to-big-int'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { BASE_TIME_CODE } from '#protocol/execution/base-time-code'
import { IMPLEMENTATION_SLOT } from '#protocol/execution/install-base-time'
import { BASE_TIME, BASE_TIME_IMPLEMENTATION } from '#protocol/execution/predeploys'
import type { Hash } from '#protocol/types/bytes'
import { rulesAt } from '#protocol/upgrades/schedule'
import type { BlockSelector } from '../selector/block-selector.ts'
import { blockToComeMs } from '../selector/block-to-come.ts'
import type { ShownChain } from '../shown-chain.ts'
import type { StateOverride } from './parse-state-overrides.ts'

/**
 * What a call at `pending` finds otherwise than at `latest` since Denim: BaseTime has the milliseconds of
 * the block to come, and stands there already if that block is the first to have it. It goes before the
 * caller's own overrides, which so win.
 * Source: base/base, BasePendingForecast.
 */
export function forecast(rpc: ShownChain, selector: BlockSelector): StateOverride[] {
  if (selector !== 'pending' || rpc.preconfirmations || !rpc.config.upgrades) return []
  const ms = blockToComeMs(rpc)
  if (!rulesAt(rpc.config.upgrades, ms).hasBaseTime) return []
  const { stateRoot } = rpc.chain.latest().header
  const part: [Hash, Hash] = [word(0n), word(ms % 1000n)]
  const linked = rpc.chain.storage(stateRoot, BASE_TIME, IMPLEMENTATION_SLOT)
  if (bytesToBigInt(hexToBytes(linked)) !== 0n) return [{ ...NOTHING, stateDiff: [part] }]
  const link: [Hash, Hash] = [IMPLEMENTATION_SLOT, word(BigInt(BASE_TIME_IMPLEMENTATION))]
  return [
    { ...NOTHING, stateDiff: [part, link] },
    { ...NOTHING, address: BASE_TIME_IMPLEMENTATION, code: hexToBytes(BASE_TIME_CODE) },
  ]
}

const NOTHING: StateOverride = {
  address: BASE_TIME,
  balance: undefined,
  nonce: undefined,
  code: undefined,
  state: undefined,
  stateDiff: undefined,
  movePrecompileTo: undefined,
}

function word(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}
