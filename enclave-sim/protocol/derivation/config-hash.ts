import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import type { RollupConfig } from './rollup-config.ts'

/** Layout version of the hashed bytes. */
const VERSION = 0n

const number = (value: bigint | number, size: number) =>
  hexToBytes(`0x${value.toString(16).padStart(2 * size, '0')}`)

/**
 * What ties a journal to one chain: keccak256 over 212 bytes of its rollup configuration, with the
 * system configuration of genesis (PRV-PROP-07). Source: base/base per_chain_config.rs.
 */
export function configHash(config: RollupConfig): Hash {
  const { genesis } = config
  return keccak256Hex(
    concatBytes(
      number(VERSION, 8),
      number(config.l2ChainId, 32),
      hexToBytes(genesis.l1.hash),
      hexToBytes(genesis.l2.hash),
      number(genesis.l2Time, 8),
      hexToBytes(genesis.systemConfig.batcherAddress),
      hexToBytes(genesis.systemConfig.scalar),
      number(genesis.systemConfig.gasLimit, 8),
      hexToBytes(config.depositContractAddress),
      hexToBytes(config.l1SystemConfigAddress),
    ),
  )
}
