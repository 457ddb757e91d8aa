import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Chains } from '#protocol/proof/run-program'

/** OP spec: constants since Fjord and Granite, whatever a rollup.json still says. */
const protocol = { maxSequencerDrift: 1800, channelTimeout: 50 } as const

/** Fee parameters that came with Holocene and later; L1 has set them since, genesis has none. */
const unsetFees = {
  eip1559Denominator: 0,
  eip1559Elasticity: 0,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 0,
} as const

/** Source: superchain-registry, superchain/configs/mainnet/base.toml. */
const baseMainnet: RollupConfig = {
  ...protocol,
  l1ChainId: 1,
  l2ChainId: 8453,
  fork: 'jovian',
  genesis: {
    l1: {
      hash: '0x5c13d307623a926cd31415036c8b7fa14572f9dac64528e857a470511fc30771',
      number: 17_481_768,
    },
    l2: {
      hash: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
      number: 0,
    },
    l2Time: 1_686_789_347,
    systemConfig: {
      ...unsetFees,
      batcherAddress: '0x5050f69a9786f081509234f1a7f4684b5e5b76c9',
      gasLimit: 30_000_000n,
      scalar: '0x00000000000000000000000000000000000000000000000000000000000a6fe0',
    },
  },
  blockTime: 2,
  sequencerWindowSize: 3600,
  batchInboxAddress: '0xff00000000000000000000000000000000008453',
  depositContractAddress: '0x49048044d57e1c92a77f79988d21fa8faf74e97e',
  l1SystemConfigAddress: '0x73a79fab69143498ed3712e519a88a918e1f4072',
}

/** Source: superchain-registry, superchain/configs/sepolia/base.toml. */
const baseSepolia: RollupConfig = {
  ...protocol,
  l1ChainId: 11_155_111,
  l2ChainId: 84_532,
  fork: 'jovian',
  genesis: {
    l1: {
      hash: '0xcac9a83291d4dec146d6f7f69ab2304f23f5be87b1789119a0c5b1e4482444ed',
      number: 4_370_868,
    },
    l2: {
      hash: '0x0dcc9e089e30b90ddfc55be9a37dd15bc551aeee999d2e2b51414c54eaf934e4',
      number: 0,
    },
    l2Time: 1_695_768_288,
    systemConfig: {
      ...unsetFees,
      batcherAddress: '0x6cdebe940bc0f26850285caca097c11c33103e47',
      gasLimit: 25_000_000n,
      scalar: '0x00000000000000000000000000000000000000000000000000000000000f4240',
    },
  },
  blockTime: 2,
  sequencerWindowSize: 3600,
  batchInboxAddress: '0xff00000000000000000000000000000000084532',
  depositContractAddress: '0x49f53e41452c74589e85ca1677426ba426459e85',
  l1SystemConfigAddress: '0xf272670eb55e895584501d564afeb048bed26194',
}

/** The public chains a host knows without a file (HOST-START-01, HOST-START-02); Jovian and later. */
export const knownChains: Chains = new Map(
  [baseMainnet, baseSepolia].map((chain) => [BigInt(chain.l2ChainId), chain]),
)
