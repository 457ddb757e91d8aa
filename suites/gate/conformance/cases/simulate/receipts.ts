import { defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { expectAddress, expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { simulate } from '../../reads/simulate.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { bloomOf } from '../../spec/bloom-of.ts'
import { isTraced } from '../../spec/is-traced.ts'
import { receiptsRoot } from '../../spec/receipts-root.ts'

/** What a call is that names no fee, no document says: the same for all of them, whichever it is. */
const PLAIN_TYPES = ['0x2', '0x0', '0x1']

export const cases = defineCases([
  {
    id: 'rpc.simulate.seen-receipts-root.01',
    title: 'Every simulated block of the run has the root of the receipts of its calls',
    area: 'simulate',
    rules: ['RPC-SIM-22', 'RPC-BLK-13'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Status, gas and logs of each call are told, and type by what it offers to pay.',
    async run(t) {
      await simulate(t.rpc, [{}, {}])
      const right = new Set<string>()
      await judgeEach(t.seen.to('eth_simulateV1'), 'simulations', async ({ params, result }) => {
        const entries = entriesOf(params[0])
        for (const [index, each] of expectArray(result, 'result').entries()) {
          const block = expectObject(each, `result[${index}]`)
          const { length } = expectArray(block.calls, `result[${index}].calls`)
          // Where numbers leave gaps, some nodes put blocks without calls between.
          const asked = (length > 0 && entries.shift()) || []
          // The same questions are asked all the time, and most blocks have been judged before.
          const name = JSON.stringify([asked, block.receiptsRoot, block.gasUsed, block.logsBloom])
          if (right.has(name)) continue
          await expectRoot(block, asked, `result[${index}]`)
          right.add(name)
        }
      })
    },
  },
])

/** The calls of each entry that has some. */
function entriesOf(payload: unknown): unknown[][] {
  const { blockStateCalls } = Object(payload) as JsonObject
  const entries: unknown[] = Array.isArray(blockStateCalls) ? blockStateCalls : []
  return entries.flatMap((entry) => {
    const { calls } = Object(entry) as JsonObject
    return Array.isArray(calls) && calls.length > 0 ? [calls] : []
  })
}

async function expectRoot(block: JsonObject, asked: readonly unknown[], at: string): Promise<void> {
  const calls = expectArray(block.calls, `${at}.calls`).map((call) => expectObject(call, at))
  const transactions = expectArray(block.transactions, `${at}.transactions`)
  const known = calls.map((_, index) => typeOf(transactions[index]) ?? typeOf(asked[index]))
  // Whether traced transfers are in receipts is not stated: no contract has emitted them.
  const isAnyTraced = calls.some(({ logs }) => Array.isArray(logs) && logs.some(isTraced))
  const roots: string[] = []
  for (const hasTraced of isAnyTraced ? [false, true] : [false]) {
    for (const plain of known.includes(undefined) ? PLAIN_TYPES : PLAIN_TYPES.slice(0, 1)) {
      const types = known.map((type) => type ?? plain)
      const root = await receiptsRoot(receiptsOf(calls, { types, hasTraced, at }))
      if (root === block.receiptsRoot) return
      roots.push(root)
    }
  }
  expectThat(false, roots.join(' or '), block.receiptsRoot, `${at}.receiptsRoot`)
}

/** Of a transaction or a call; undefined where nothing says it. */
function typeOf(one: unknown): unknown {
  const { type, gasPrice, accessList, ...rest } = Object(one) as JsonObject
  if (typeof type === 'string') return type
  if (rest.authorizationList !== undefined) return '0x4'
  if (rest.maxFeePerGas !== undefined || rest.maxPriorityFeePerGas !== undefined) return '0x2'
  if (gasPrice === undefined) return undefined
  return accessList === undefined ? '0x0' : '0x1'
}

function receiptsOf(
  calls: readonly JsonObject[],
  { types, hasTraced, at }: { types: readonly unknown[]; hasTraced: boolean; at: string },
): JsonObject[] {
  let gas = 0n
  return calls.map(({ status, gasUsed, logs }, index) => {
    const where = `${at}.calls[${index}]`
    gas += expectQuantity(gasUsed, `${where}.gasUsed`)
    const own = expectArray(logs ?? [], `${where}.logs`).map((log) => expectObject(log, where))
    const kept = own.filter((log) => hasTraced || !isTraced(log))
    const logsBloom = bloomOf(
      kept.flatMap(({ address, topics }) => [
        expectAddress(address, `${where}.logs[].address`),
        ...expectArray(topics, `${where}.logs[].topics`).map((topic) => expectHash(topic, where)),
      ]),
    )
    const cumulativeGasUsed = `0x${gas.toString(16)}`
    return { type: types[index], status, cumulativeGasUsed, logsBloom, logs: kept }
  })
}
