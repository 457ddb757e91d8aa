import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** Fields of a system configuration that are bigints; JSON has them as decimal strings. */
const BIGINTS = ['gasLimit', 'operatorFeeConstant', 'minBaseFee'] as const

/**
 * The chains an enclave knows, as a file of its image: the same chains give the same bytes, in
 * whatever order they or their fields come, because the bytes are measured.
 */
export function encodeChainTable(chains: Iterable<RollupConfig>): string {
  const sorted = [...chains].sort((a, b) => a.l2ChainId - b.l2ChainId)
  return `${JSON.stringify(sorted, canonical, 2)}\n`
}

function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The inverse of `encodeChainTable`, by chain id. The file is part of the measured image and is
 * trusted as the code is.
 * @throws ChainTableInvalid
 */
export function decodeChainTable(text: string): Map<bigint, RollupConfig> {
  try {
    const chains: RollupConfig[] = JSON.parse(text)
    for (const { genesis } of chains)
      for (const field of BIGINTS) genesis.systemConfig[field] = BigInt(genesis.systemConfig[field])
    return new Map(chains.map((chain) => [BigInt(chain.l2ChainId), chain]))
  } catch (error) {
    throw new ChainTableInvalid(error)
  }
}

export class ChainTableInvalid extends RollbedError {
  constructor(cause: unknown) {
    super('CHAIN_TABLE_INVALID', 'The chain table of the enclave image cannot be read.', { cause })
  }
}
