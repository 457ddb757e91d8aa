import { hexToBytes } from '@ethereumjs/util'
import { concat, keccak256, numberToHex, padHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block, Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { DepositTransaction } from '#protocol/types/transaction'
import type { ChainView } from '../node/chain-view.ts'
import { rollupMethods } from './rollup-methods.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const address = (byte: string) => `0x${byte.repeat(20)}` as const

const config: RollupConfig = {
  l1ChainId: 1337,
  l2ChainId: 84538453,
  fork: 'jovian',
  genesis: {
    l1: { hash: hash('a0'), number: 7 },
    l2: { hash: hash('b0'), number: 0 },
    l2Time: 1_700_000_000,
    systemConfig: {
      batcherAddress: address('ba'),
      gasLimit: 60_000_000n,
      scalar: `0x01${'00'.repeat(23)}00101c12000008dd`,
      eip1559Denominator: 50,
      eip1559Elasticity: 6,
      operatorFeeScalar: 1,
      operatorFeeConstant: 2n,
      minBaseFee: 1_000_000n,
      daFootprintGasScalar: 400,
    },
  },
  blockTime: 2,
  maxSequencerDrift: 1800,
  sequencerWindowSize: 3600,
  channelTimeout: 50,
  batchInboxAddress: address('ff'),
  depositContractAddress: address('01'),
  l1SystemConfigAddress: address('02'),
}

/** setL1BlockValuesJovian (OP specs, Jovian) for the third block of the epoch of L1 block 9. */
const attributes = concat([
  '0x3db6be2b',
  numberToHex(1, { size: 4 }), // base fee scalar
  numberToHex(2, { size: 4 }), // blob base fee scalar
  numberToHex(2, { size: 8 }), // sequence number
  numberToHex(1_700_000_004, { size: 8 }),
  numberToHex(9, { size: 8 }),
  numberToHex(3, { size: 32 }),
  numberToHex(4, { size: 32 }),
  hash('a9'),
  padHex(address('ba'), { size: 32 }),
  numberToHex(5, { size: 4 }),
  numberToHex(6, { size: 8 }),
  numberToHex(400, { size: 2 }),
])

function block(number: number, byte: string, data?: `0x${string}`): Block {
  const header = {
    number: BigInt(number),
    parentHash: hash('ee'),
    timestamp: BigInt(1_700_000_000 + 2 * number),
    stateRoot: hash('5a'),
    withdrawalsRoot: hash('6a'),
  } as Header
  const transactions = data ? [{ data: hexToBytes(data) } as DepositTransaction] : []
  return { hash: hash(byte), header, transactions, receipts: [], size: 0 }
}

const blocks = [block(0, 'b0'), block(5, 'b5', attributes)]
const chain = {
  latest: () => blocks[1],
  safe: () => blocks[1],
  finalized: () => blocks[0],
  blockByNumber: (number: bigint) => blocks.find(({ header }) => header.number === number),
} as ChainView
const l1 = {
  async request(_method: string, [tag]: readonly unknown[]) {
    const number = { latest: 12, safe: 10, finalized: 8 }[tag as string]!
    const parentHash = hash('dd')
    return { hash: hash('cc'), number: numberToHex(number), parentHash, timestamp: '0x6553f100' }
  },
}
const methods = rollupMethods({ chain, config, l1 })

async function call(name: string, params?: RpcParams) {
  return await methods[name]!(params, { signal: new AbortController().signal })
}

const l1Ref = (number: number) => ({
  hash: hash('cc'),
  number,
  parentHash: hash('dd'),
  timestamp: 1_700_000_000,
})
const tip = {
  hash: hash('b5'),
  number: 5,
  parentHash: hash('ee'),
  timestamp: 1_700_000_010,
  l1origin: { hash: hash('a9'), number: 9 },
  sequenceNumber: 2,
}
const genesis = {
  hash: hash('b0'),
  number: 0,
  parentHash: hash('ee'),
  timestamp: 1_700_000_000,
  l1origin: { hash: hash('a0'), number: 7 },
  sequenceNumber: 0,
}
const status = {
  current_l1: l1Ref(12),
  current_l1_finalized: l1Ref(8),
  head_l1: l1Ref(12),
  safe_l1: l1Ref(10),
  finalized_l1: l1Ref(8),
  unsafe_l2: tip,
  safe_l2: tip,
  finalized_l2: genesis,
  pending_safe_l2: tip,
}

describe('rollup RPC', () => {
  it('given heads, when optimism_syncStatus is called, then each is a ref in plain numbers', async () => {
    expect(await call('optimism_syncStatus')).toEqual(status)
  })

  it('given a block, when optimism_outputAtBlock is called, then the output root is that of its header', async () => {
    const root = keccak256(concat([hash('00'), hash('5a'), hash('6a'), hash('b5')]))
    expect(await call('optimism_outputAtBlock', ['0x5'])).toEqual({
      version: hash('00'),
      outputRoot: root,
      blockRef: tip,
      withdrawalStorageRoot: hash('6a') satisfies Hash,
      stateRoot: hash('5a'),
      syncStatus: status,
    })
  })

  it('given a block that is not there, when asked for, then -32000 not found', async () => {
    await expect(call('optimism_outputAtBlock', ['0x6'])).rejects.toMatchObject({
      rpcCode: -32000,
      message: 'not found',
    })
  })

  it.each([[[5]], [['latest']], [['0x']], [[]], [undefined], [[`0x${'1'.repeat(17)}`]]])(
    'given %j, when the output is asked for, then -32602',
    async (params) => {
      await expect(call('optimism_outputAtBlock', params)).rejects.toMatchObject({
        rpcCode: -32602,
      })
    },
  )

  it('given a config, when optimism_rollupConfig is called, then it is spelled as rollup.json', async () => {
    expect(await call('optimism_rollupConfig')).toEqual({
      genesis: {
        l1: { hash: hash('a0'), number: 7 },
        l2: { hash: hash('b0'), number: 0 },
        l2_time: 1_700_000_000,
        system_config: {
          batcherAddr: address('ba'),
          overhead: hash('00'),
          scalar: `0x01${'00'.repeat(23)}00101c12000008dd`,
          gasLimit: 60_000_000,
          eip1559Params: '0x0000003200000006',
          operatorFeeParams: `0x${'00'.repeat(20)}000000010000000000000002`,
          minBaseFee: 1_000_000,
          daFootprintGasScalar: 400,
        },
      },
      block_time: 2,
      max_sequencer_drift: 1800,
      seq_window_size: 3600,
      channel_timeout: 50,
      l1_chain_id: 1337,
      l2_chain_id: 84538453,
      regolith_time: 0,
      canyon_time: 0,
      delta_time: 0,
      ecotone_time: 0,
      fjord_time: 0,
      granite_time: 0,
      holocene_time: 0,
      isthmus_time: 0,
      jovian_time: 0,
      batch_inbox_address: address('ff'),
      deposit_contract_address: address('01'),
      l1_system_config_address: address('02'),
    })
  })
})
