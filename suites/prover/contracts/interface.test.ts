import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { type ContractName, loadContract } from '#fixtures/contracts/load-contract'
import { compareInterfaces, departures } from './compare-interfaces.ts'

/**
 * The published interface of the proof contracts, as literals: selectors and topics, not names, so
 * that a wrong parameter type shows.
 */
const functions: Partial<Record<ContractName, string>> = {
  TEEVerifier: 'ab750e75 f9df65eb ece20f36',
  TEEProverRegistry:
    'd5f50582 d2560056 86b4ebd3 e8533e29 94b2822f 94a277d1 bbdc02db 0dcaeaf2 8da5cb5b 481c6a75 e9ed9b64 6666efdb ba58e82a 0ba24fe0 2712e20d f2fde38b',
  AggregateVerifier:
    '4224b1e7 cfcf984b b97cb80f e41f96ad 2810e1d6 786b844b 1333db2e 1ee5d7c8 74f8bf32 324a13c9 6361506d bcef3b55 99735e32 70872aa5 25fc2ace 57da950e 49edf35a 42316182 b74df35a 00821de3 37b1b229 609d3334 200d2ed2 addecc06 bdb337d1 2845e5bb cf09e0d0 19effeb4 23edb2e0 80f323a7 35c4377b 6dc86e81 0183fd44 d28cb06f 8417d3c2',
  DisputeGameFactory:
    '1011f377 5f0150cb 4d1975b4 bb8aa1fc 1b685b9e 6593dc6e 254bd683 96cd9720 14f6b1a3 1e334240',
  AnchorStateRegistry:
    'd83ef267 664ed830 e0a840eb 17cf21a9 3c9f397c ee658e45 04e50fed 34a346ea 5958a193 496b9c16 0314d2b3 6c4f4467 5c975abb 7d6be8dc 7fc48504 d5a3e12e',
  DelayedWETH: 'd0e30db0 7eee288d f3fef3a3 6a42b8f8 cd47bde1',
  // OP spec: deposits; l1-attributes of Ecotone, Isthmus and Jovian; withdrawals; Fjord predeploys.
  OptimismPortal: 'e9e05c42',
  L1Block: '440a5e20 098999be 3db6be2b',
  L2ToL1MessagePasser: 'c2b3e5ac',
  GasPriceOracle: '49948e0e f1c7a58b',
  // The OP stack's published ABIs of its EIP-721 bridge, without what only a proxy needs.
  L1ERC721Bridge:
    '927ede2d 7f46ddb2 3687011a aa557452 761f4493 3cb747bf c89701a2 5c975abb 54fd4d50 5d93a3fc 33d7e2bd',
  L2ERC721Bridge:
    '927ede2d 7f46ddb2 3687011a aa557452 761f4493 3cb747bf c89701a2 5c975abb 54fd4d50',
  OptimismMintableERC721Factory: 'ee9a31a2 7d1d0c5b e78cea92 d97df652 5572acae d2382242 54fd4d50',
  OptimismMintableERC721:
    'ee9a31a2 7d1d0c5b 033964be 095ea7b3 70a08231 d547cfb7 e78cea92 9dc29fac 081812fc e985e9c5 06fdde03 6352211e e9518196 d6c0b2c4 a1448194 42842e0e b88d4fde a22cb465 01ffc9a7 95d89b41 4f6ccce7 2f745c59 c87b56dd 18160ddd 23b872dd 54fd4d50',
}

const errors: Partial<Record<ContractName, string>> = {
  TEEVerifier: '8baa579f 77f1708f bf18af43 415e3f9d 5a1c353a bcf3e864 7c3e4fdb',
  TEEProverRegistry: '696bbf1f 41baf0ee a2d0fee8 85269c3d 27a10cc2 b5f381ae 9fb48269',
  AggregateVerifier:
    '80b1ae51 0f0b8f81 25bfb0a4 087b2d76 346119f7 f33fa6cf bbcafae6 a6c661fd 25822d38 7141297a 09bde339 69ed70ab df469ccb 67fe1950 f1a94581 92c506ae 04643c39 344de4bf 57e25a09 0dc149f0',
  DisputeGameFactory: '014f6fe5 8620aa19 031c6de4',
}

const topics: Partial<Record<ContractName, string>> = {
  AggregateVerifier: '62f393ac 7a180232 5a8d9d18 5e186f09 87e12c25',
  DisputeGameFactory: '5b565efe82411da98814f356d0e7bcb8f0219b8d970307c5afb4a6903a8b2e35',
  OptimismPortal: 'b3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32',
  SystemConfig: '1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be',
  L2ToL1MessagePasser: '02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054',
  L1ERC721Bridge: 'b7460e2a 1f39bf67',
  L2ERC721Bridge: 'b7460e2a 1f39bf67',
  OptimismMintableERC721Factory: 'e72783bb',
  OptimismMintableERC721: '8c5be1e5 17307eab cc16f5db 0f6798a5 ddf252ad',
}

function abiOf(name: string): Abi {
  return loadContract(name as ContractName).abi as Abi
}

describe('the compiled contracts have the published', () => {
  test.each(Object.entries(functions))(
    'given %s, then its functions are those that are published',
    (name, expected) => {
      const compiled = abiOf(name)
        .filter((item): item is AbiFunction => item.type === 'function')
        .map((item) => toFunctionSelector(item).slice(2))
      expect(compiled).toEqual(expect.arrayContaining(expected.split(' ')))
    },
  )

  test.each(Object.entries(errors))(
    'given %s, then its errors are those that are published',
    (name, expected) => {
      const compiled = abiOf(name)
        .filter((item) => item.type === 'error')
        .map((item) => toFunctionSelector({ ...item, type: 'function' } as never).slice(2))
      expect(compiled).toEqual(expect.arrayContaining(expected.split(' ')))
    },
  )

  test.each(Object.entries(topics))(
    'given %s, then its events are those that are published',
    (name, expected) => {
      const compiled = abiOf(name)
        .filter((item): item is AbiEvent => item.type === 'event')
        .map((item) => toEventSelector(item).slice(2))
      for (const topic of expected.split(' ')) {
        expect(compiled.map((full) => full.slice(0, topic.length))).toContain(topic)
      }
    },
  )
})

test('given the registry events, when compiled, then their signatures are the published ones', () => {
  const events = abiOf('TEEProverRegistry')
    .filter((item): item is AbiEvent => item.type === 'event')
    .map(
      ({ name, inputs }) =>
        `${name}(${inputs.map((input) => input.type + (input.indexed ? ' indexed' : '')).join(',')})`,
    )
  expect(events.sort()).toEqual([
    'DevImageSet(bytes32 indexed,bool)',
    'GameTypeUpdated(uint32)',
    'Initialized(uint8)',
    'ManagementTransferred(address indexed,address indexed)',
    'OwnershipTransferred(address indexed,address indexed)',
    'ProposerSet(address indexed,bool)',
    'SignerDeregistered(address indexed)',
    'SignerRegistered(address indexed)',
  ])
})

describe('against the list of published signatures', () => {
  const comparisons = compareInterfaces()

  test('given a difference, then it has a reason, and every reason a difference', () => {
    const rows = comparisons.flatMap((each) => each.rows)
    const differing = rows.filter(({ published, ours }) => published !== ours)
    expect(differing.filter(({ reason }) => !reason).map(({ signature }) => signature)).toEqual([])
    const used = new Set(differing.map(({ reason }) => reason))
    const all = [...departures.missing, ...departures.extra]
    expect(all.filter((reason) => !used.has(reason))).toEqual([])
  })

  test('given what an actor calls and a test writes to, then it is there', () => {
    const of = (name: ContractName) => comparisons.find(({ ours }) => ours === name)!
    for (const name of ['AggregateVerifier', 'TEEVerifier'] as const) {
      const left = of(name).rows.filter(({ published, ours }) => published !== ours)
      expect(left.map(({ signature }) => signature)).toEqual(
        name === 'TEEVerifier' ? [] : ['error Reentrancy()'],
      )
      expect(of(name).storage.filter((row) => row.ours !== row.published)).toEqual([])
    }
  })
})
