import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectHash } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { getBlock, getLastBlocks } from '../../reads/get-block.ts'

const REFUSED: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['no params', 'RPC-BLK-01', []],
  ['null as selector', 'RPC-BLK-01', [null, false]],
  ['an object as selector', 'RPC-BLK-01', [{}, false]],
  ['no flag', 'RPC-BLK-02', ['latest']],
  ['the string "true" as flag', 'RPC-BLK-02', ['latest', 'true']],
  ['the number 1 as flag', 'RPC-BLK-02', ['latest', 1]],
]

export const cases = defineCases([
  ...REFUSED.map(
    ([what, rule, params], index): ConformanceCase => ({
      id: `rpc.block.refused.0${index + 1}`,
      title: `eth_getBlockByNumber with ${what} is an error`,
      area: 'block',
      rules: [rule],
      needs: ['rpc'],
      rationale: 'Both params are required; a guess at the missing one hides a mistake.',
      async run({ rpc }) {
        expectError(await rpc.call('eth_getBlockByNumber', params), 'reply')
      },
    }),
  ),
  {
    id: 'rpc.block.transaction-hashes.01',
    title: 'Without the flag, transactions are hashes',
    area: 'block',
    rules: ['RPC-BLK-22'],
    needs: ['rpc'],
    rationale: 'A caller that asked for hashes may not afford full transactions.',
    async run({ rpc }) {
      for (const block of await getLastBlocks(rpc, 4)) {
        for (const hash of expectArray(block.transactions, 'transactions')) {
          expectHash(hash, 'transactions[]')
        }
      }
    },
  },
  {
    id: 'rpc.block.transaction-objects.01',
    title: 'With the flag, transactions are objects with those same hashes',
    area: 'block',
    rules: ['RPC-BLK-23'],
    needs: ['rpc'],
    rationale: 'Both forms tell of the same transactions in the same order.',
    async run({ rpc }) {
      const [tip] = (await getLastBlocks(rpc, 1)).slice(-1)
      const full = await getBlock(rpc, String(tip?.number), true)
      const objects = expectArray(full.transactions, 'transactions').map((each, index) => {
        const transaction = expectObject(each, `transactions[${index}]`)
        expectEqual(transaction.blockHash, tip?.hash, `transactions[${index}].blockHash`)
        return transaction.hash
      })
      expectEqual(objects, tip?.transactions, 'hashes of transactions')
    },
  },
])
