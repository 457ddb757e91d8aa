import type { CaseContext } from '../conformance-case.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { toWord } from '../reads/eth-call.ts'
import { toLogs } from '../reads/get-logs.ts'
import { callResult, simulate, toBlocks } from '../reads/simulate.ts'
import { FAR_SLOT, FAR_VALUE, sealedHistory, WRITTEN } from '../scenes/sealed-history.ts'
import { resultOf } from '../wire/json-rpc-client.ts'
import { type KnownQuestion, rpcQuestion } from './known-question.ts'

/** Further than any chain gets while it is judged. */
const PAST_THE_HEAD = 2n ** 40n
const hex = (value: bigint) => `0x${value.toString(16)}`

/** What a slot holds at each height, before it was written too. */
async function valuesOf(t: CaseContext) {
  const { probes, writes } = await t.scene(sealedHistory)
  const { slot, first, second } = WRITTEN
  const known: readonly (readonly [slot: bigint, block: string, value: bigint])[] = [
    [slot, hex(writes.first - 1n), 0n],
    [FAR_SLOT, 'earliest', 0n],
    [slot, hex(writes.first), first],
    [slot, hex(writes.second), second],
    [slot, 'latest', second],
    [FAR_SLOT, hex(writes.second), FAR_VALUE],
    [FAR_SLOT + 1n, 'latest', 0n],
    [FAR_SLOT, 'latest', FAR_VALUE],
    [slot, '0x0', 0n],
  ]
  return known.map(([slot, block, value]) => ({ store: probes.store, slot, block, value }))
}

/** The contract was not there at the first block, and what has no code returns nothing. */
const returnedAt = (block: string, value: bigint) =>
  block === 'earliest' || block === '0x0' ? '0x' : toWord(value)

async function slots(t: CaseContext): Promise<KnownQuestion[]> {
  return (await valuesOf(t)).map(({ store, slot, block, value }) =>
    rpcQuestion(t.rpc, ['eth_getStorageAt', [store, toWord(slot), block]], (reply) =>
      expectEqual(resultOf(reply, 'eth_getStorageAt'), toWord(value), 'result'),
    ),
  )
}

/** The same, as a call reads it. */
async function calledSlots(t: CaseContext): Promise<KnownQuestion[]> {
  return (await valuesOf(t)).map(({ store, slot, block, value }) =>
    rpcQuestion(t.rpc, ['eth_call', [{ to: store, data: toWord(slot) }, block]], (reply) =>
      expectEqual(resultOf(reply, 'eth_call'), returnedAt(block, value), 'result'),
    ),
  )
}

/** The same, as a simulated call reads it. @throws CaseFailure where nothing is simulated: other cases tell of that */
async function simulatedSlots(t: CaseContext): Promise<KnownQuestion[]> {
  await simulate(t.rpc, [{}])
  return (await valuesOf(t)).map(({ store, slot, block, value }) => {
    const blockStateCalls = [{}, { calls: [{ to: store, data: toWord(slot) }] }]
    return rpcQuestion(t.rpc, ['eth_simulateV1', [{ blockStateCalls }, block]], (reply) => {
      const { returnData } = callResult(toBlocks(reply)[1], 0)
      expectEqual(returnData, returnedAt(block, value), 'result[1].calls[0].returnData')
    })
  })
}

async function logs(t: CaseContext): Promise<KnownQuestion[]> {
  const { logs } = await t.scene(sealedHistory)
  const { rpc } = t
  return logs.flatMap((log) => {
    const { address, topics, transaction } = log
    const { blockHash, blockNumber, hash } = transaction
    const height = hex(blockNumber)
    const own = logs.filter((each) => each.transaction.hash === hash && each.address === address)
    const same = own.filter((each) => topics.every((topic, at) => each.topics[at] === topic))
    const filters = [
      { filter: { fromBlock: height, toBlock: height, address, topics }, expected: same },
      { filter: { blockHash, address: [address] }, expected: own },
    ]
    return filters.map(({ filter, expected }) =>
      rpcQuestion(rpc, ['eth_getLogs', [filter]], (reply) => {
        // Other runs may use the contracts, too.
        const found = toLogs(resultOf(reply, 'eth_getLogs'))
        const ours = found.filter(({ transactionHash }) => transactionHash === hash)
        expectEqual(
          ours.map((each) => [each.topics, each.data, each.blockHash, each.blockNumber]),
          expected.map((each) => [[...each.topics], each.data, blockHash, height]),
          'topics, data, block hash and block number of the logs found',
        )
      }),
    )
  })
}

async function absentBlocks({ rpc }: CaseContext): Promise<KnownQuestion[]> {
  return [false, true].map((full, index) =>
    rpcQuestion(
      rpc,
      ['eth_getBlockByNumber', [hex(PAST_THE_HEAD + BigInt(index)), full]],
      (reply) => expectEqual(resultOf(reply, 'eth_getBlockByNumber'), null, 'result'),
    ),
  )
}

/** Slots and logs of blocks that the driver made, and blocks that are not there yet. */
export const sealedQuestions = { slots, calledSlots, simulatedSlots, logs, absentBlocks }
