import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { rollupConfigJson } from '#devnet/l2/rollup-rpc/rollup-config-json'
import { configHash } from '#protocol/derivation/config-hash'
import { parseChains, readChainFile } from './chain-file.ts'
import { knownChains } from './known-chains.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollbed-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The public rollup.json of Base mainnet, shortened to what is read, with fields we ignore. */
const baseMainnet = {
  genesis: {
    l1: {
      hash: '0x5c13d307623a926cd31415036c8b7fa14572f9dac64528e857a470511fc30771',
      number: 17481768,
    },
    l2: { hash: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd', number: 0 },
    l2_time: 1686789347,
    system_config: {
      batcherAddr: '0x5050F69a9786F081509234F1a7F4684b5E5b76C9',
      overhead: '0x00000000000000000000000000000000000000000000000000000000000000bc',
      scalar: '0x00000000000000000000000000000000000000000000000000000000000a6fe0',
      gasLimit: 30000000,
    },
  },
  block_time: 2,
  max_sequencer_drift: 600,
  seq_window_size: 3600,
  channel_timeout: 300,
  l1_chain_id: 1,
  l2_chain_id: 8453,
  isthmus_time: 1746806401,
  jovian_time: 1764086401,
  batch_inbox_address: '0xFf00000000000000000000000000000000008453',
  deposit_contract_address: '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e',
  l1_system_config_address: '0x73a79Fab69143498Ed3712e519A88a918e1f4072',
}

describe('a chain file', () => {
  it("given Base's rollup.json, when read, then it is the built-in chain (HOST-CFG-05)", async () => {
    const path = join(folder, 'rollup.json')
    writeFileSync(path, JSON.stringify(baseMainnet))
    expect(await readChainFile(path)).toEqual(new Map([[8453n, knownChains.get(8453n)]]))
  })

  it('given the answer of optimism_rollupConfig with every fee set, when read, then nothing is lost', () => {
    const chain = knownChains.get(84_532n)!
    const devnet = {
      ...chain,
      l2ChainId: 84538453,
      genesis: {
        ...chain.genesis,
        systemConfig: {
          ...chain.genesis.systemConfig,
          eip1559Denominator: 250,
          eip1559Elasticity: 6,
          operatorFeeScalar: 7,
          operatorFeeConstant: 8n,
          minBaseFee: 9n,
          daFootprintGasScalar: 400,
        },
      },
    }
    const list = JSON.stringify([rollupConfigJson(devnet), rollupConfigJson(chain)])
    const chains = parseChains(list, 'the list')
    expect(chains).toEqual(
      new Map([
        [84538453n, devnet],
        [84532n, chain],
      ]),
    )
    expect(configHash(chains.get(84532n)!)).toBe(configHash(chain))
  })

  it('given a chain before Jovian, when read, then it runs Isthmus', () => {
    const { jovian_time: _, ...isthmus } = baseMainnet
    expect(parseChains(JSON.stringify(isthmus), 'it').get(8453n)?.fork).toBe('isthmus')
  })

  it.each([
    ['no JSON', '{', 'it is not JSON.'],
    ['another shape', '{"genesis":{}}', 'it is no rollup.json: genesis.l1: '],
    [
      'a chain before Isthmus',
      JSON.stringify({ ...baseMainnet, isthmus_time: undefined }),
      'it is no rollup.json: isthmus_time: ',
    ],
    [
      'a short address',
      JSON.stringify({ ...baseMainnet, deposit_contract_address: '0x12' }),
      'it is no rollup.json: deposit_contract_address: must be 20 bytes of hex.',
    ],
  ])('given %s, when read, then it says what is wrong', (_, text, message) => {
    expect(() => parseChains(text, 'it')).toThrow(message)
  })

  it('given no such file, when read, then the error names it', async () => {
    await expect(readChainFile(join(folder, 'none.json'))).rejects.toMatchObject({
      code: 'HOST_CONFIG_INVALID',
      message: expect.stringContaining('none.json'),
    })
  })
})
