import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import type { Header } from '#protocol/types/block'
import type { Fork } from '#protocol/types/execution-config'
import { ZERO_HASH } from '../json/hex.ts'
import type { PlannedBlock } from './simulation.ts'

/**
 * The header of a simulated block before its calls ran. Fee recipient and gas limit are handed down
 * from block to block, all else is fixed by execution-apis (eth_simulateV1 notes); the state root is
 * zero (RPC-SIM-30), until one is computed.
 */
export function simulatedHeader(
  planned: PlannedBlock,
  parent: { header: Header; hash: Header['parentHash'] },
  rules: { base: Header; validation: boolean; fork: Fork },
): Header {
  const { blockOverrides, number, timestamp } = planned
  return {
    ...rules.base,
    parentHash: parent.hash,
    miner: blockOverrides.feeRecipient ?? parent.header.miner,
    stateRoot: ZERO_HASH,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: `0x${'0'.repeat(512)}`,
    number,
    gasLimit: blockOverrides.gasLimit ?? parent.header.gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: '0x',
    mixHash: blockOverrides.prevRandao ?? ZERO_HASH,
    baseFeePerGas: blockOverrides.baseFeePerGas ?? baseFee(parent.header, rules),
    withdrawalsRoot: EMPTY_TRIE_ROOT,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: blockOverrides.parentBeaconBlockRoot ?? ZERO_HASH,
  }
}

/** Without validation calls are free; with it the base block's fee parameters stay in force. */
function baseFee(
  parent: Header,
  { base, validation, fork }: { base: Header; validation: boolean; fork: Fork },
): bigint {
  return validation ? nextBaseFee({ ...parent, extraData: base.extraData }, fork) : 0n
}
