import { bloomMayContain } from '../execution/logs-bloom.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'
import type { RollupConfig, SystemConfig } from './rollup-config.ts'
import { applyConfigUpdates, CONFIG_UPDATE } from './system-config-update.ts'
import { TRANSACTION_DEPOSITED, userDeposits } from './user-deposit.ts'

export interface Epoch {
  /** In force from the epoch's first block on. */
  systemConfig: SystemConfig
  /** User deposits in EIP-2718 form, for the epoch's first block. */
  deposits: Uint8Array[]
}

/**
 * What a new L1 origin brings to L2: its user deposits and its changes of the system configuration.
 * Sequencer and derivation both use it. Receipts are read only if the header's bloom says they matter.
 * @param systemConfig in force before this L1 block
 */
export async function openEpoch(
  config: RollupConfig,
  l1: Pick<L1Source, 'receipts'>,
  l1Origin: L1Header,
  systemConfig: SystemConfig,
): Promise<Epoch> {
  const { depositContractAddress: portal, l1SystemConfigAddress: contract } = config
  const mayHave = (address: `0x${string}`, topic: `0x${string}`) =>
    bloomMayContain(l1Origin.logsBloom, address) && bloomMayContain(l1Origin.logsBloom, topic)
  if (!mayHave(portal, TRANSACTION_DEPOSITED) && !mayHave(contract, CONFIG_UPDATE)) {
    return { systemConfig, deposits: [] }
  }
  const receipts = await l1.receipts(l1Origin.hash)
  return {
    systemConfig: applyConfigUpdates(systemConfig, contract, receipts),
    deposits: userDeposits(portal, l1Origin.hash, receipts),
  }
}
