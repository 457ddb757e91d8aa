import { expect, test } from 'vitest'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { devnetSystemConfig } from './devnet-system-config.ts'
import { rollupGenesis } from './rollup-genesis.ts'

const common = {
  l1Start: { hash: `0x${'11'.repeat(32)}`, number: 1n, timestamp: 1_700_000_000 },
  contracts: l1ContractAddresses(roleKeys.deployer.address),
  fork: 'jovian',
  blockTime: 2,
} as const

test('given another system configuration, then the genesis block and the rollup configuration follow it', async () => {
  const systemConfig = { ...devnetSystemConfig, gasLimit: 40_000_000n, eip1559Denominator: 250 }
  const usual = await rollupGenesis(common)
  const other = await rollupGenesis({ ...common, systemConfig })
  expect(other.config.genesis.systemConfig).toEqual(systemConfig)
  expect(other.block.header.gasLimit).toBe(40_000_000n)
  // Version 1 of Jovian's extraData: denominator, elasticity, minimum base fee (OP spec: jovian).
  expect(other.block.header.extraData.slice(0, 20)).toBe('0x01000000fa00000006')
  expect(other.block.header.stateRoot).toBe(usual.block.header.stateRoot)
  expect(other.block.hash).not.toBe(usual.block.hash)
})
