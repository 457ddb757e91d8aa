import { describe, expect, test } from 'vitest'
import vectors from '#fixtures/vectors/config-hash.json' with { type: 'json' }
import type { Hex } from '../types/bytes.ts'
import { configHash } from './config-hash.ts'
import type { RollupConfig } from './rollup-config.ts'

function configOf(vector: (typeof vectors.tests)[number]): RollupConfig {
  return {
    l1ChainId: 1,
    l2ChainId: vector.chainId,
    fork: 'jovian',
    genesis: {
      l1: { hash: vector.l1GenesisHash as Hex, number: 7 },
      l2: { hash: vector.l2GenesisHash as Hex, number: 0 },
      l2Time: vector.l2Time,
      systemConfig: {
        batcherAddress: vector.batcher as Hex,
        gasLimit: BigInt(vector.gasLimit),
        scalar: vector.scalar as Hex,
        eip1559Denominator: 250,
        eip1559Elasticity: 6,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        minBaseFee: 0n,
        daFootprintGasScalar: 400,
      },
    },
    blockTime: 2,
    maxSequencerDrift: 1800,
    sequencerWindowSize: 3600,
    channelTimeout: 50,
    batchInboxAddress: '0xff00000000000000000000000000000000008453',
    depositContractAddress: vector.portal as Hex,
    l1SystemConfigAddress: vector.systemConfig as Hex,
  }
}

describe('the config hash (PRV-PROP-07, PIPE-15)', () => {
  test.each(vectors.tests.map((vector) => [vector.comment, vector] as const))(
    'given %s, then it is the published one',
    (_comment, vector) => {
      expect(configHash(configOf(vector))).toBe(vector.configHash)
    },
  )

  test('given another block time, which is not genesis, then it is the same', () => {
    const config = configOf(vectors.tests[0]!)
    expect(configHash({ ...config, blockTime: 1 })).toBe(configHash(config))
  })
})
