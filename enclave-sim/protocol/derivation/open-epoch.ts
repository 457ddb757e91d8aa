import { bloomMayContain } from '../execution/logs-bloom.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'
import type { RollupConfig, SystemConfig } from './rollup-config.ts'
import { scaleGas } from './scale-gas.ts'
import { applyConfigUpdates, CONFIG_UPDATE } from './system-config-update.ts'
import { TRANSACTION_DEPOSITED, userDeposits } from './user-deposit.ts'

type Receipts = Pick<L1Source, 'receipts'>

interface Epoch {
  /** In force from the epoch's first block on. */
  systemConfig: SystemConfig
  /** User deposits in EIP-2718 form, for the epoch's first block. */
  deposits: Uint8Array[]
}

/**
 * What a new L1 origin brings to L2: its user deposits and its changes of the system configuration.
 * @param systemConfig in force before this L1 block
 */
async function openEpoch(
  config: RollupConfig,
  l1: Receipts,
  l1Origin: L1Header,
  systemConfig: SystemConfig,
): Promise<Epoch> {
  const portal = config.depositContractAddress
  return {
    systemConfig: await systemConfigAfter(config, l1, l1Origin, systemConfig),
    deposits: mayHaveLog(l1Origin, portal, TRANSACTION_DEPOSITED)
      ? userDeposits(portal, l1Origin.hash, await l1.receipts(l1Origin.hash))
      : [],
  }
}

/** Of a block: what places its successor in an epoch. */
interface EpochPosition {
  /** Seconds. */
  timestamp: bigint
  l1Origin: { number: bigint }
  sequenceNumber: bigint
  systemConfig: SystemConfig
}

/**
 * Where the block after `parent` stands, if this is its L1 origin: in the same epoch as its parent, or
 * as the first block of the next, which brings deposits and may change the configuration. An upgrade
 * may change it, too, in its first block. Sequencer and derivation both use it.
 * @param timestampMs of the block after `parent`: milliseconds since 1970
 */
export async function advanceEpoch(
  config: RollupConfig,
  l1: Receipts,
  l1Origin: L1Header,
  parent: EpochPosition,
  timestampMs: bigint,
): Promise<Epoch & { sequenceNumber: bigint }> {
  const { sequenceNumber, systemConfig: before } = parent
  const isSameEpoch = l1Origin.number === parent.l1Origin.number
  const { systemConfig, deposits } = isSameEpoch
    ? { systemConfig: before, deposits: [] }
    : await openEpoch(config, l1, l1Origin, before)
  return {
    sequenceNumber: isSameEpoch ? sequenceNumber + 1n : 0n,
    systemConfig: scaleGas(systemConfig, config.upgrades, parent.timestamp * 1000n, timestampMs),
    deposits,
  }
}

/** The system configuration after one more L1 block. */
export async function systemConfigAfter(
  config: RollupConfig,
  l1: Receipts,
  header: L1Header,
  systemConfig: SystemConfig,
): Promise<SystemConfig> {
  const contract = config.l1SystemConfigAddress
  if (!mayHaveLog(header, contract, CONFIG_UPDATE)) return systemConfig
  return applyConfigUpdates(systemConfig, contract, await l1.receipts(header.hash))
}

/** The header commits to its bloom, so receipts that cannot matter need not be read or proven. */
function mayHaveLog({ logsBloom }: L1Header, address: Address, topic: Hash): boolean {
  return bloomMayContain(logsBloom, address) && bloomMayContain(logsBloom, topic)
}
