import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBytes, expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { getBlock, getTip } from '../../reads/get-block.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const ZERO = `0x${'00'.repeat(20)}`

/** The same selector in every parameter slot that takes one (RPC-SEL-07). */
const SLOTS: readonly Slot[] = [
  {
    method: 'eth_getBlockByNumber',
    params: (selector) => [selector, false],
    accept: (result, at) =>
      void (result === null || expectHash(expectObject(result, at).parentHash, at)),
  },
  {
    method: 'eth_getLogs',
    params: (selector) => [{ fromBlock: selector, toBlock: selector, address: ZERO }],
    accept: (result, at) => expectEqual(result, [], at),
  },
  {
    method: 'eth_call',
    params: (selector) => [{ to: ZERO }, selector],
    accept: (result, at) => expectEqual(result, '0x', at),
  },
  {
    method: 'eth_simulateV1',
    params: (selector) => [{ blockStateCalls: [{}] }, selector],
    accept: (result, at) => void expectArray(result, at, 1),
  },
  {
    method: 'eth_getStorageAt',
    params: (selector) => [ZERO, '0x0', selector],
    accept: (result, at) => void expectBytes(result, at, 32),
  },
]

interface Slot {
  method: string
  params(selector: string): unknown[]
  accept(result: unknown, at: string): void
}

const SELECTORS = [
  ['latest', 'RPC-SEL-02'],
  ['pending', 'RPC-SEL-03'],
  ['safe', 'RPC-SEL-04'],
  ['finalized', 'RPC-SEL-05'],
  ['earliest', 'RPC-SEL-06'],
  ['0x0', 'RPC-SEL-01'],
] as const

async function acceptsEverywhere({ rpc }: CaseContext, selector: string): Promise<void> {
  for (const { method, params, accept } of SLOTS) {
    const at = `${method} at ${selector}`
    accept(resultOf(await rpc.call(method, params(selector)), at), at)
  }
}

export const cases = defineCases([
  ...SELECTORS.map(
    ([selector, rule]): ConformanceCase => ({
      id: `rpc.selectors.${selector === '0x0' ? 'number' : selector}-everywhere.01`,
      title: `${selector} is accepted wherever a block is selected`,
      area: 'selectors',
      rules: [rule, 'RPC-SEL-07'],
      needs: ['rpc'],
      rationale:
        'One vocabulary holds for all methods; a tag that works in one and not in another surprises.',
      run: (context) => acceptsEverywhere(context, selector),
    }),
  ),
  {
    id: 'rpc.selectors.number.01',
    title: 'A hex number picks exactly that height',
    area: 'selectors',
    rules: ['RPC-SEL-01'],
    needs: ['rpc'],
    rationale: 'Heights are hex: 0x10 is the sixteenth block after the first, not the tenth.',
    async run({ rpc }) {
      const tip = await getTip(rpc)
      for (const height of [0n, 1n, 10n, 16n, tip].filter((each) => each <= tip)) {
        const block = await getBlock(rpc, height)
        expectEqual(expectQuantity(block.number, 'number'), height, 'number')
      }
    },
  },
  {
    id: 'rpc.selectors.latest-sealed.01',
    title: 'latest is the newest sealed block',
    area: 'selectors',
    rules: ['RPC-SEL-10'],
    needs: ['rpc'],
    rationale:
      'latest must be citable: it has a height and a hash, and the next height is not sealed.',
    async run({ rpc }) {
      const latest = await getBlock(rpc, 'latest')
      const height = expectQuantity(latest.number, 'number')
      expectHash(latest.hash, 'hash')
      expectEqual((await getBlock(rpc, height)).hash, latest.hash, 'hash at that height')
    },
  },
  {
    id: 'rpc.selectors.earliest-is-first.01',
    title: 'earliest is the block at height 0',
    area: 'selectors',
    rules: ['RPC-SEL-11'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Indexers start there.',
    async run({ rpc }) {
      const earliest = await getBlock(rpc, 'earliest')
      expectEqual(earliest.number, '0x0', 'earliest.number')
      expectEqual(earliest, await getBlock(rpc, 0n), 'earliest')
    },
  },
  {
    id: 'rpc.selectors.safe-finalized-order.01',
    title: 'finalized ≤ safe ≤ latest, all of them sealed',
    area: 'selectors',
    rules: ['RPC-SEL-04', 'RPC-SEL-05'],
    needs: ['rpc'],
    rationale: 'What is final is also safe, and what is safe is also sealed.',
    async run({ rpc }) {
      const heights: bigint[] = []
      for (const tag of ['finalized', 'safe', 'latest']) {
        const block = await rpc.result('eth_getBlockByNumber', [tag, false])
        if (block === null) continue
        const { number, hash } = block as { number: unknown; hash: unknown }
        expectHash(hash, `${tag}.hash`)
        heights.push(expectQuantity(number, `${tag}.number`))
      }
      const sorted = [...heights].sort((a, b) => (a < b ? -1 : 1))
      expectEqual(heights, sorted, 'heights of finalized, safe, latest')
    },
  },
  ...['newest', '16', '0x', 'latest ', '0xzz'].map(
    (selector, index): ConformanceCase => ({
      id: `rpc.selectors.refused.0${index + 1}`,
      title: `"${selector}" is no block selector`,
      area: 'selectors',
      rules: ['RPC-SEL-08'],
      level: 'should',
      needs: ['rpc'],
      rationale: 'A mistyped tag read as latest gives a wrong answer instead of an error.',
      async run({ rpc }) {
        expectError(await rpc.call('eth_getBlockByNumber', [selector, false]), 'reply')
      },
    }),
  ),
  {
    id: 'rpc.selectors.refused.06',
    title: 'A JSON number is no block selector',
    area: 'selectors',
    rules: ['RPC-SEL-08'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Selectors are strings; 16 and "0x16" are different blocks.',
    async run({ rpc }) {
      expectError(await rpc.call('eth_getBlockByNumber', [0, false]), 'reply')
    },
  },
  {
    id: 'rpc.selectors.lenient-hex.01',
    title: 'Leading zeros in a height are tolerated',
    area: 'selectors',
    rules: ['RPC-SEL-01'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Open in the spec (OPEN-11); deployed nodes take 0x00 for 0x0.',
    async run({ rpc }) {
      expectEqual((await getBlock(rpc, '0x000')).number, '0x0', 'number')
    },
  },
])
