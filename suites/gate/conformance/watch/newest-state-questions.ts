import { notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { expectBytes } from '../matchers/expect-hex.ts'
import { expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { toWord } from '../reads/eth-call.ts'
import { callResult, toBlocks } from '../reads/simulate.ts'
import { L1_BLOCK, type L1Origin, l1OriginOf, ORIGIN_CALL, ORIGIN_SLOT } from '../spec/l1-origin.ts'
import type { Hex } from '../wire/hex.ts'
import { type RpcReply, resultOf } from '../wire/json-rpc-client.ts'
import { type MakeQuestions, rpcDialogue } from './known-question.ts'

/** What a block has written of its L1 origin: how it is asked for, and what a word of it must hold. */
interface Written {
  data: Hex
  slot: Hex
  /** Its lowest digits in the slot, which others share. */
  digits: number
  wanted(origin: L1Origin): bigint
}

/** Of two blocks in a row either the origin is another one, or how many blocks it had before. */
const WRITTEN: readonly Written[] = [
  {
    ...{ data: ORIGIN_CALL.data, slot: ORIGIN_SLOT, digits: 64 },
    wanted: ({ hash }) => BigInt(hash),
  },
  {
    ...{ data: '0x64ca23ef', slot: toWord(3), digits: 16 },
    wanted: ({ sequenceNumber }) => sequenceNumber,
  },
]

/**
 * Asks for the state of the newest block by its height, where the first transaction of each block writes what
 * it carries: so it is known without another look at any state.
 */
const atNewest =
  (
    questionOf: (
      written: Written,
      height: unknown,
    ) => readonly [method: string, params: readonly unknown[]],
    expectWritten: (reply: RpcReply, wanted: bigint, written: Written) => void,
  ): MakeQuestions =>
  async ({ rpc }: CaseContext) =>
    WRITTEN.map((written) =>
      rpcDialogue(rpc, async (call) => {
        const newest = async (isWhole: boolean) =>
          expectObject(resultOf(await call('eth_getBlockByNumber', ['latest', isWhole])), 'latest')
        const before = await newest(true)
        const [method, params] = questionOf(written, before.number)
        const reply = await call(method, params)
        const after = await newest(false)
        return {
          reply,
          judge() {
            const { to } = firstOf(before)
            if (String(to).toLowerCase() !== L1_BLOCK)
              notApplicable('It is no block of an OP chain.')
            const isOnTop = after.hash === before.hash || after.parentHash === before.hash
            if (!isOnTop) notApplicable('More than one block came, or another one in its place.')
            expectWritten(reply, written.wanted(l1OriginOf(before)), written)
          },
        }
      }),
    )

const firstOf = ({ transactions }: JsonObject) =>
  Object((transactions as unknown[] | undefined)?.[0]) as JsonObject

const calls = atNewest(
  ({ data }, height) => ['eth_call', [{ to: L1_BLOCK, data }, height]],
  (reply, wanted) => expectEqual(resultOf(reply, 'eth_call'), toWord(wanted), 'result'),
)

const slots = atNewest(
  ({ slot }, height) => ['eth_getStorageAt', [L1_BLOCK, slot, height]],
  (reply, wanted, { digits }) => {
    const word = expectBytes(resultOf(reply, 'eth_getStorageAt'), 'result', 32)
    expectEqual(BigInt(`0x${word.slice(-digits)}`), wanted, `last ${digits} digits of result`)
  },
)

const simulations = atNewest(
  ({ data }, height) => {
    const calls = [{ to: L1_BLOCK, data }]
    return ['eth_simulateV1', [{ blockStateCalls: [{ calls }] }, height]]
  },
  (reply, wanted) => {
    const { returnData } = callResult(toBlocks(reply)[0], 0)
    expectEqual(returnData, toWord(wanted), 'result[0].calls[0].returnData')
  },
)

/** The state of the newest block by its height, as soon as it is the newest. */
export const newestStateQuestions = { calls, slots, simulations }
