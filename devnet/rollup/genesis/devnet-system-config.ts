import { roleKeys } from '#fixtures/chain/dev-keys'
import type { SystemConfig } from '#protocol/derivation/rollup-config'

/** What the devnet's SystemConfig starts with. Fee scalars as on Base; no operator fee. */
export const devnetSystemConfig: SystemConfig = {
  batcherAddress: roleKeys.batcher.address,
  gasLimit: 60_000_000n,
  scalar: `0x01${'00'.repeat(23)}${uint32(1_055_762)}${uint32(2_269)}`,
  eip1559Denominator: 50,
  eip1559Elasticity: 6,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 1_000_000n,
  daFootprintGasScalar: 400,
}

function uint32(value: number): string {
  return value.toString(16).padStart(8, '0')
}
