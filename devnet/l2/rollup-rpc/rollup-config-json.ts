import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { RollupConfig, SystemConfig } from '#protocol/derivation/rollup-config'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { Schedule } from '#protocol/types/schedule'

/** Upgrades that hold from genesis on, in order. */
const ISTHMUS_AND_EARLIER = [
  'regolith_time',
  'canyon_time',
  'delta_time',
  'ecotone_time',
  'fjord_time',
  'granite_time',
  'holocene_time',
  'isthmus_time',
]

/** The config as op-node's optimism_rollupConfig and rollup.json spell it. */
export function rollupConfigJson(config: RollupConfig) {
  const { genesis } = config
  const upgrades =
    config.fork === 'jovian' ? [...ISTHMUS_AND_EARLIER, 'jovian_time'] : ISTHMUS_AND_EARLIER
  return {
    genesis: {
      l1: genesis.l1,
      l2: genesis.l2,
      l2_time: genesis.l2Time,
      system_config: systemConfigJson(genesis.systemConfig),
    },
    block_time: config.blockTime,
    max_sequencer_drift: config.maxSequencerDrift,
    seq_window_size: config.sequencerWindowSize,
    channel_timeout: config.channelTimeout,
    l1_chain_id: config.l1ChainId,
    l2_chain_id: config.l2ChainId,
    ...Object.fromEntries(upgrades.map((name) => [name, 0])),
    ...(config.upgrades && { base: upgradeTimes(config.upgrades) }),
    ...(config.journal && { journal: config.journal }),
    batch_inbox_address: config.batchInboxAddress,
    deposit_contract_address: config.depositContractAddress,
    l1_system_config_address: config.l1SystemConfigAddress,
  }
}

/** As base-consensus spells them; 0: from genesis on. */
function upgradeTimes(upgrades: Schedule): Record<string, number> {
  return Object.fromEntries(
    Object.entries(upgrades).flatMap(([name, time]) =>
      time === 'never' ? [] : [[name, time === 'genesis' ? 0 : time]],
    ),
  )
}

function systemConfigJson(config: SystemConfig) {
  return {
    batcherAddr: config.batcherAddress,
    overhead: `0x${'00'.repeat(32)}` satisfies Hash,
    scalar: config.scalar,
    gasLimit: Number(config.gasLimit),
    eip1559Params: eip1559Params(config),
    operatorFeeParams: operatorFeeParams(config),
    minBaseFee: Number(config.minBaseFee),
    daFootprintGasScalar: config.daFootprintGasScalar,
  }
}

/** denominator u32 ‖ elasticity u32. */
function eip1559Params(config: SystemConfig): Hex {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, config.eip1559Denominator)
  view.setUint32(4, config.eip1559Elasticity)
  return bytesToHex(new Uint8Array(view.buffer))
}

/** Zeros, then scalar u32 ‖ constant u64 at the low end of 32 bytes. */
function operatorFeeParams(config: SystemConfig): Hash {
  const view = new DataView(new ArrayBuffer(32))
  view.setUint32(20, config.operatorFeeScalar)
  view.setBigUint64(24, config.operatorFeeConstant)
  return bytesToHex(new Uint8Array(view.buffer))
}
