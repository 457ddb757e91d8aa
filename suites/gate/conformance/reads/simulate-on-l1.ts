import { numberToHex } from 'viem'
import { notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectString } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { callResult, toBlocks } from './simulate.ts'

export interface L1Call {
  from: Hex
  to: Hex
  data: Hex
  value?: bigint
}

export interface L1Outcome {
  succeeded: boolean
  /** What a call returned, or reverted with. */
  data: Hex
}

/** Money for whatever a sender pays in a simulated block. */
const RICH = numberToHex(10n ** 24n)
const METHOD_NOT_FOUND = -32601

/** What would come of transactions of one L1 block, one after another; needs no key and changes nothing. */
export async function simulateOnL1(
  { l1 }: CaseContext,
  calls: readonly L1Call[],
): Promise<L1Outcome[]> {
  const stateOverrides = Object.fromEntries(calls.map(({ from }) => [from, { balance: RICH }]))
  const sent = calls.map(({ value = 0n, ...call }) => ({ ...call, value: numberToHex(value) }))
  const parent = expectQuantity(await l1.result('eth_blockNumber'), 'eth_blockNumber')
  // Said, though it is the default: anvil's calls find the number of the parent otherwise.
  const blockOverrides = { number: numberToHex(parent + 1n) }
  const blockStateCalls = [{ blockOverrides, stateOverrides, calls: sent }]
  const reply = await l1.call('eth_simulateV1', [{ blockStateCalls }, numberToHex(parent)])
  const error = reply.body.error as { code?: unknown } | undefined
  if (error?.code === METHOD_NOT_FOUND)
    notApplicable('L1 has no eth_simulateV1, by which transactions of others are tried.')
  const [block] = toBlocks(reply)
  return calls.map((_, index) => {
    const { status, returnData, error } = callResult(block, index)
    const revertData = (error as { data?: unknown } | undefined)?.data ?? returnData
    return {
      succeeded: status === '0x1',
      data: expectString(revertData, `result[0].calls[${index}].returnData`) as Hex,
    }
  })
}
