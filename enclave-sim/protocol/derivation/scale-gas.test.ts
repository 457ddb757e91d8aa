import { expect, test } from 'vitest'
import { scaleGas } from './scale-gas.ts'
import { newChain } from './testing/scripted-chain.ts'

const upgrades = { azul: 'genesis', denim: 15 } as const
const base = newChain().config.genesis.systemConfig

// Base mainnet and Sepolia before Denim (base/docs, 1961), and what ten blocks of each become.
test.each([
  [400_000_000n, 100, 5, 40_000_000n, 1_000],
  [1_200_000_000n, 100, 15, 120_000_000n, 1_000],
  [30_000_009n, 2 ** 31, 6, 3_000_000n, 2 ** 32 - 1],
])(
  'given %i gas and a denominator of %i, then the first block of Denim has a tenth and ten times',
  (gasLimit, eip1559Denominator, eip1559Elasticity, gas, denominator) => {
    const config = { ...base, gasLimit, eip1559Denominator, eip1559Elasticity }
    expect(scaleGas(config, upgrades, 14_000n, 16_000n)).toEqual({
      ...config,
      gasLimit: gas,
      eip1559Denominator: denominator,
    })
  },
)

test('given any other block, or another upgrade, then nothing is scaled', () => {
  expect(scaleGas(base, upgrades, 16_000n, 16_200n)).toBe(base)
  expect(scaleGas(base, upgrades, 12_000n, 14_000n)).toBe(base)
  expect(scaleGas(base, { azul: 15 }, 14_000n, 16_000n)).toBe(base)
  expect(scaleGas(base, undefined, 14_000n, 16_000n)).toBe(base)
})
