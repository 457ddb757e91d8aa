import { concatHex, getContractAddress, type Hex, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { devnetAlloc } from '#devnet/rollup/genesis/devnet-alloc'
import { l2ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import {
  type ReferenceAnvil,
  startReferenceAnvil,
} from '#suites/oracles/differential/reference-anvil'
import { type TestChain, testChain } from './test-chain.ts'

/** Leaves code that sets the slot of its first word to its second. */
const STORE_INIT_CODE = '0x67602035600035550060005260086018f3'
const SLOTS = 40
const word = (value: number) => numberToHex(value, { size: 32 })

let chain: TestChain

/** Block 1 makes a contract, 2 fills its slots, 3 clears all but the last, so that its trie folds. */
beforeAll(async () => {
  chain = await testChain()
  const store = getContractAddress({ from: userKeys[0]!.address, nonce: 0n })
  const set = (slot: number, value: number) =>
    chain.sign({ to: store, data: concatHex([word(slot), word(value)]), value: 0n })
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
  const inOrder = async (transactions: (() => Promise<Hex>)[]) => {
    const signed: Hex[] = []
    for (const sign of transactions) signed.push(await sign())
    return signed
  }
  await chain.build([await chain.sign({ to: null, data: STORE_INIT_CODE, value: 0n })])
  await chain.build(await inOrder(slots.map((slot) => () => set(slot, 7))))
  await chain.build(await inOrder(slots.slice(1).map((slot) => () => set(slot, 0))))
  await chain.build([await chain.sign()])
  await chain.post()
})
afterAll(() => chain.stop())
beforeEach(() => {
  chain.l2.lacks = []
  chain.l2.calls.length = 0
})

/** Witness from these nodes, then the program on it alone. */
async function prove(from: number, to: number, l2: RpcClient = chain.l2) {
  const { chains, l1 } = chain
  const sources = { chainId: BigInt(l2ChainId), chains, l1, l2 }
  const preimages = await buildWitness(await chain.request(from, to), sources)
  const { blocks } = await runProgram(verifiedOracle(preimages), { chains })
  return blocks.map(({ hash }) => hash)
}
const hashes = (from: number, to: number) =>
  chain.blocks.slice(from, to + 1).map(({ hash }) => hash)
const count = (method: string) => chain.l2.calls.filter((name) => name === method).length

const DEBUG = ['debug_dbGet', 'debug_executionWitness', 'debug_getRawBlock']

describe('an L2 node without debug_dbGet', () => {
  it('given proofs of accounts and slots only, when a range is proven, then from those, each missing method asked for once', async () => {
    chain.l2.lacks = DEBUG
    expect(await prove(1, 4)).toEqual(hashes(1, 4))
    expect(count('eth_getProof')).toBeGreaterThan(3)
    for (const method of DEBUG.slice(0, 2)) expect(count(method)).toBe(1)
  })

  it('given slots that are cleared until their trie folds, when proven from where they are set, then the siblings are found', async () => {
    chain.l2.lacks = DEBUG
    expect(await prove(3, 3)).toEqual(hashes(3, 3))
  })

  it('given a database without old values, when proven, then what it lacks comes by proofs', async () => {
    const { request } = chain.l2
    const pruned: RpcClient = {
      async request(method, params) {
        if (method !== 'debug_dbGet') return await request(method, params)
        throw new RpcRefused(method, { code: -32000, message: 'not found' })
      },
    }
    expect(await prove(3, 4, pruned)).toEqual(hashes(3, 4))
  })

  it('given an execution witness, when proven, then it is asked for once per block and proofs not at all', async () => {
    chain.l2.lacks = ['debug_dbGet']
    const values: Hex[] = []
    const { request } = chain.l2
    // All of the state there is: more than a witness of one block has.
    const generous: RpcClient = {
      async request(method, params) {
        if (method !== 'debug_executionWitness') return await request(method, params)
        chain.l2.calls.push(method)
        return { state: values, codes: [], headers: [] }
      },
    }
    const known = new Set<Hex>()
    chain.l2.lacks = []
    const recording: RpcClient = {
      async request(method, params) {
        const answer = await request(method, params)
        if (method === 'debug_dbGet') known.add(answer as Hex)
        return answer
      },
    }
    await prove(2, 3, recording)
    values.push(...known)
    chain.l2.calls.length = 0
    chain.l2.lacks = ['debug_dbGet']
    expect(await prove(2, 3, generous)).toEqual(hashes(2, 3))
    expect(count('debug_executionWitness')).toBe(1)
    expect(count('eth_getProof')).toBe(0)
  })

  it('given no way to the state at all, when proven, then STATE_UNAVAILABLE says what a node must serve', async () => {
    chain.l2.lacks = [...DEBUG, 'eth_getProof', 'eth_getCode']
    await expect(prove(1, 4)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      hint: expect.stringContaining('eth_getProof'),
    })
  })

  it('given a node that lies in its proofs, when proven, then STATE_UNAVAILABLE', async () => {
    chain.l2.lacks = DEBUG
    const { request } = chain.l2
    const liar: RpcClient = {
      async request(method, params) {
        if (method !== 'eth_getProof') return await request(method, params)
        return { accountProof: ['0xc0', 'nonsense'], storageProof: 'none' }
      },
    }
    await expect(prove(1, 4, liar)).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' })
  })
})

describe('anvil in OP mode as the node that holds the state', () => {
  let anvil: ReferenceAnvil
  const asked: string[] = []

  /** Its genesis is ours: the one state for which its root is an Ethereum root. */
  beforeAll(async () => {
    const contracts = l1ContractAddresses(roleKeys.deployer.address)
    anvil = await startReferenceAnvil({
      chainId: l2ChainId,
      alloc: devnetAlloc({ fork: 'jovian', contracts, chainId: l2ChainId }),
      timestamp: chain.blocks[0]!.header.timestamp,
      coinbase: chain.blocks[0]!.header.miner,
      baseFeePerGas: chain.blocks[0]!.header.baseFeePerGas,
    })
  })
  afterAll(() => anvil?.stop())

  it('given eth_getProof and eth_getCode of a real anvil, when blocks 1 to 4 are proven, then on nothing else of the state', async () => {
    const { stateRoot } = chain.blocks[0]!.header
    const proof = await anvil.request<{ accountProof: Hex[] }>('eth_getProof', [
      userKeys[0]!.address,
      [],
      '0x0',
    ])
    expect(keccak256(proof.accountProof[0]!)).toBe(stateRoot)

    const STATE = ['debug_dbGet', 'debug_executionWitness', 'eth_getProof', 'eth_getCode']
    const composite: RpcClient = {
      async request(method, params) {
        if (!STATE.includes(method)) return await chain.l2.request(method, params)
        asked.push(method)
        return await anvil.rpc.request(method, params)
      },
    }
    expect(await prove(1, 4, composite)).toEqual(hashes(1, 4))
    expect(new Set(asked)).toContain('eth_getProof')
    expect(chain.l2.calls.filter((method) => STATE.includes(method))).toEqual([])
  })
})
