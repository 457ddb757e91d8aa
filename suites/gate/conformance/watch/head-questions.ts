import type { CaseContext } from '../conformance-case.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { expectAddress, expectBytes, expectHash, expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, type JsonObject } from '../matchers/expect-shape.ts'
import type { ContextWord } from '../probes/contracts.ts'
import { readContext } from '../reads/eth-call.ts'
import { callResult, simulate, toBlocks } from '../reads/simulate.ts'
import { probeContracts } from '../scenes/probe-contracts.ts'
import { type KnownQuestion, type MakeQuestions, rpcQuestion } from './known-question.ts'

type Words = Partial<Record<ContextWord, bigint>>

/** Calls of each element: what is right in the first call of the first one need not be in the next. */
const CALLS = [[1], [2], [1, 1], [0, 1], [1, 2, 1]]

/**
 * Simulations of some elements, in which each call returns what it sees of its block.
 * @param read what the element's header says of the same words
 */
const heads =
  (read: (block: JsonObject, at: string) => Words): MakeQuestions =>
  async ({ rpc, scene, profile }: CaseContext): Promise<KnownQuestion[]> => {
    // Where nothing is simulated other cases tell of that.
    await simulate(rpc, [{}])
    const { context } = await scene(probeContracts)
    // On today's chain `pending` is a forecast, and no block.
    const selectors = profile === 'today' ? ['latest'] : ['latest', 'pending']
    return CALLS.flatMap((counts) =>
      selectors.map((selector) => {
        const blockStateCalls = counts.map((length) => ({
          calls: Array.from({ length }, () => ({ to: context })),
        }))
        return rpcQuestion(rpc, ['eth_simulateV1', [{ blockStateCalls }, selector]], (reply) => {
          const blocks = toBlocks(reply)
          expectArray(blocks, 'result', counts.length)
          for (const [index, block] of blocks.entries())
            expectSeen(block, { calls: counts[index]!, at: `result[${index}]`, read })
        })
      }),
    )
  }

function expectSeen(
  block: JsonObject,
  {
    calls,
    at,
    read,
  }: { calls: number; at: string; read: (block: JsonObject, at: string) => Words },
): void {
  const header = read(block, at)
  for (let index = 0; index < calls; index++) {
    const where = `${at}.calls[${index}].returnData`
    const seen = readContext(expectBytes(callResult(block, index).returnData, where))
    const same = Object.keys(header).map((word) => [word, seen[word as ContextWord]])
    expectEqual(Object.fromEntries(same), header, where)
  }
}

const inAll = heads((block, at) => ({
  NUMBER: expectQuantity(block.number, `${at}.number`),
  TIMESTAMP: expectQuantity(block.timestamp, `${at}.timestamp`),
  GASLIMIT: expectQuantity(block.gasLimit, `${at}.gasLimit`),
}))

/** How these come about no document says; but one block has one of each. */
const inMost = heads((block, at) => ({
  BASEFEE: expectQuantity(block.baseFeePerGas, `${at}.baseFeePerGas`),
  COINBASE: BigInt(expectAddress(block.miner, `${at}.miner`)),
  PREVRANDAO: BigInt(expectHash(block.mixHash, `${at}.mixHash`)),
}))

/** Simulations whose calls see the header that their element tells. */
export const headQuestions = { inAll, inMost }
