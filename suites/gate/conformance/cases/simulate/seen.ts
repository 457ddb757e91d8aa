import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import {
  expectAddress,
  expectBytes,
  expectHash,
  expectQuantity,
} from '../../matchers/expect-hex.ts'
import {
  expectArray,
  expectKeys,
  expectObject,
  type JsonObject,
} from '../../matchers/expect-shape.ts'
import { getTip } from '../../reads/get-block.ts'
import { simulate } from '../../reads/simulate.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { replacedHeights, seenSealed } from '../../seen/seen-blocks.ts'
import { BLOCK_CONSTANTS } from '../../spec/block-constants.ts'
import { BLOCK_FIELDS } from '../../spec/block-fields.ts'
import { bloomOf } from '../../spec/bloom-of.ts'
import { blockSize, headerHash } from '../../spec/header.ts'
import { isTraced } from '../../spec/is-traced.ts'

const ZERO_HASH = `0x${'00'.repeat(32)}`

/** A case that judges every answer of eth_simulateV1 of the run. */
const ofSimulated = (
  about: Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale' | 'profiles'>,
  judge: (blocks: readonly JsonObject[]) => void,
): ConformanceCase => ({
  ...about,
  area: 'simulate',
  needs: ['rpc'],
  judgesAll: true,
  async run(t) {
    // Where no other case of the run simulates, there is one answer all the same.
    await simulate(t.rpc, [{}, {}])
    await judgeEach(t.seen.to('eth_simulateV1'), 'simulations', (answer) => judge(blocksOf(answer)))
  },
})

const blocksOf = ({ result }: SeenAnswer) =>
  expectArray(result, 'result').map((block, index) => expectObject(block, `result[${index}]`))

const callsOf = (block: JsonObject, at: string) =>
  expectArray(block.calls, `${at}.calls`).map((call, index) => ({
    call: expectObject(call, `${at}.calls[${index}]`),
    where: `${at}.calls[${index}]`,
  }))

export const cases = defineCases([
  ofSimulated(
    {
      id: 'rpc.simulate.seen-members.01',
      title: 'Every simulated block of the run has all members in their forms',
      rules: ['RPC-SIM-22', 'RPC-SIM-24', 'RPC-SIM-26', 'RPC-SIM-27', 'RPC-SIM-29'],
      rationale: 'A member that is wrong now and then shows in one of many answers.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        expectKeys(block, [...Object.keys(BLOCK_FIELDS), 'calls'], `result[${index}]`)
        for (const [name, form] of Object.entries(BLOCK_FIELDS)) {
          expectForm(block[name], form, `result[${index}].${name}`)
        }
      }
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-constants.01',
      title: 'Every simulated block of the run has what each block of the chain has',
      rules: ['RPC-SIM-22', 'RPC-BLK-08', 'RPC-BLK-09', 'RPC-BLK-15', 'RPC-BLK-31'],
      rationale:
        'A hash that fits a header says nothing of whether the header is one of this chain.',
    },
    (blocks) => {
      // The lists have a case of their own.
      for (const [index, block] of blocks.entries())
        for (const [name, value] of BLOCK_CONSTANTS)
          if (!Array.isArray(value)) expectEqual(block[name], value, `result[${index}].${name}`)
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-state-root.01',
      title: 'No simulated block of the run has a state root',
      rules: ['RPC-SIM-30'],
      rationale: 'What is not kept commits to nothing.',
      // Deployed nodes tell one.
      profiles: ['spec'],
    },
    (blocks) => {
      for (const [index, { stateRoot }] of blocks.entries())
        expectEqual(stateRoot, ZERO_HASH, `result[${index}].stateRoot`)
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-chain.01',
      title: 'The simulated blocks of every answer are a chain',
      rules: ['RPC-SIM-23', 'RPC-SIM-25'],
      rationale: 'Blocks that do not follow each other are no simulation of one chain.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const at = `result[${index}]`
        const number = expectQuantity(block.number, `${at}.number`)
        expectHash(block.hash, `${at}.hash`)
        const parent = blocks[index - 1]
        if (!parent) continue
        expectEqual(block.parentHash, parent.hash, `${at}.parentHash`)
        const before = expectQuantity(parent.number, `result[${index - 1}].number`)
        expectThat(number > before, `more than ${before}`, number, `${at}.number`)
      }
    },
  ),
  {
    id: 'rpc.simulate.seen-base.01',
    title: 'Every simulation of the run begins upon the block that its selector names',
    area: 'simulate',
    rules: ['RPC-SIM-02', 'RPC-SIM-23', 'RPC-SIM-25', 'RPC-SIM-26'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Parent, height and time of the first element, whatever is simulated and by whom.',
    async run(t) {
      const tip = await getTip(t.rpc)
      await simulate(t.rpc, [{}], {}, `0x${tip.toString(16)}`)
      const bases = new Map<unknown, JsonObject>()
      for (const { block } of seenSealed(t.seen)) bases.set(block.hash, block)
      const answers = t.seen.inCalm('eth_simulateV1').filter(({ params }) => isOfSealed(params[1]))
      const replaced = replacedHeights(t.seen)
      await judgeEach(answers, 'simulations upon sealed blocks', async (answer) => {
        const [first] = blocksOf(answer)
        const { number, hasTime } = overriddenIn(answer.params[0])
        if (!first || number) return
        const { parentHash } = first
        if (!bases.has(parentHash)) {
          // Where blocks come faster than looks, the run need not have seen it; no spec has this method.
          const { body } = await t.rpc.call('eth_getBlockByHash', [parentHash, false])
          if ('error' in body) return
          if (Object(body.result) === body.result) bases.set(parentHash, body.result as JsonObject)
        }
        const base = bases.get(parentHash)
        const selector = String(answer.params[1])
        const height = /^0x/.test(selector) ? BigInt(selector) : undefined
        const simulated = expectQuantity(first.number, 'result[0].number')
        if (replaced.has(`0x${(simulated - 1n).toString(16)}`)) return
        expectThat(base !== undefined, 'the hash of a block', parentHash, 'result[0].parentHash')
        const own = expectQuantity(base.number, 'number of the parent')
        expectEqual(simulated, (height ?? own) + 1n, 'result[0].number')
        expectEqual(own, simulated - 1n, 'number of the block that result[0].parentHash names')
        const time = expectQuantity(first.timestamp, 'result[0].timestamp')
        const before = expectQuantity(base.timestamp, 'timestamp of the parent')
        // On today's chain up to five blocks share a second.
        if (!hasTime) expectThat(time >= before, `${before} or later`, time, 'result[0].timestamp')
      })
    },
  },
  ofSimulated(
    {
      id: 'rpc.simulate.seen-calls.01',
      title: 'Every simulated call of the run has its outcome, and their gas is that of the block',
      rules: [
        'RPC-SIM-28',
        'RPC-SIM-33',
        'RPC-SIM-34',
        'RPC-SIM-35',
        'RPC-SIM-36',
        'RPC-SIM-37',
        'RPC-SIM-38',
      ],
      rationale: 'gasUsed of a block is the sum over its calls, failed ones too.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const at = `result[${index}]`
        let sum = 0n
        for (const { call, where } of callsOf(block, at)) {
          const isKnown = call.status === '0x1' || call.status === '0x0'
          expectThat(isKnown, '0x1 or 0x0', call.status, `${where}.status`)
          sum += expectQuantity(call.gasUsed, `${where}.gasUsed`)
          expectBytes(call.returnData, `${where}.returnData`)
          // What failed has left nothing behind, and what did not has no reason to tell.
          if (call.status === '0x0') expectEqual(call.logs ?? [], [], `${where}.logs`)
          else expectArray(call.logs, `${where}.logs`)
          if (call.status === '0x1')
            expectEqual(call.error ?? undefined, undefined, `${where}.error`)
        }
        expectEqual(expectQuantity(block.gasUsed, `${at}.gasUsed`), sum, `${at}.gasUsed`)
      }
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-hash.01',
      title: 'Every simulated block of the run has the hash of its own members',
      rules: ['RPC-SIM-24', 'RPC-SIM-22', 'RPC-SIM-29', 'RPC-SIM-30'],
      rationale: 'A block is named by its header, as it is told: miner, bloom, roots, fee and all.',
      // Deployed nodes tell a state root, and may name the block by another.
      profiles: ['spec'],
    },
    (blocks) => {
      for (const [index, block] of blocks.entries())
        expectEqual(block.hash, headerHash(block), `result[${index}].hash`)
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-bloom.01',
      title: 'logsBloom of every simulated block of the run holds the logs of its calls',
      rules: ['RPC-SIM-22', 'RPC-SIM-37'],
      rationale: 'Rebuilt from the logs that the same answer tells, and no others.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const logs = logsOf(block, `result[${index}]`)
        const all = bloomOf(logs.flatMap(bloomValuesOf))
        const emitted = bloomOf(logs.filter(({ log }) => !isTraced(log)).flatMap(bloomValuesOf))
        // Whether traced transfers are in it is not stated: no contract has emitted them.
        const expected = block.logsBloom === all ? all : emitted
        expectEqual(block.logsBloom, expected, `result[${index}].logsBloom`)
      }
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-size.01',
      title: 'Every simulated block of the run without calls has its encoded length as size',
      rules: ['RPC-SIM-22'],
      rationale: 'Header and empty lists, encoded independently.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const [least, at] = [blockSize(block, []), `result[${index}].size`]
        const size = expectQuantity(block.size, at)
        if (callsOf(block, at).length === 0) expectEqual(size, least, at)
        else expectThat(size > least, `more than ${least}, for its calls`, size, at)
      }
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-lists.01',
      title: 'Every simulated block of the run lists a transaction for each call, and nothing else',
      rules: ['RPC-SIM-22', 'RPC-SIM-32'],
      rationale:
        'A call is simulated as a transaction; nothing is withdrawn and there are no uncles.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const at = `result[${index}]`
        const { length } = expectArray(block.transactions, `${at}.transactions`)
        expectEqual(length, callsOf(block, at).length, `number of ${at}.transactions`)
        expectEqual([block.uncles, block.withdrawals], [[], []], `${at}.uncles and withdrawals`)
      }
    },
  ),
  ofSimulated(
    {
      id: 'rpc.simulate.seen-logs.01',
      title: 'Every simulated log of the run is of its block and call, and counted over the block',
      rules: [
        ...['RPC-SIM-37', 'RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-09', 'RPC-LOG-10', 'RPC-LOG-11'],
        'RPC-LOG-12',
      ],
      rationale: 'A log names where it is; held against the block that the same answer tells.',
    },
    (blocks) => {
      for (const [index, block] of blocks.entries()) {
        const hashes = expectArray(block.transactions, `result[${index}].transactions`).map(
          (each) => (typeof each === 'string' ? each : (each as JsonObject).hash),
        )
        for (const [logIndex, { log, where, call }] of logsOf(
          block,
          `result[${index}]`,
        ).entries()) {
          expectEqual(log.blockNumber, block.number, `${where}.blockNumber`)
          expectEqual(log.blockHash, block.hash, `${where}.blockHash`)
          expectEqual(log.transactionIndex, `0x${call.toString(16)}`, `${where}.transactionIndex`)
          expectEqual(log.transactionHash, hashes[call], `${where}.transactionHash`)
          expectEqual(log.logIndex, `0x${logIndex.toString(16)}`, `${where}.logIndex`)
          expectEqual(log.removed, false, `${where}.removed`)
          if (log.blockTimestamp !== undefined)
            expectEqual(log.blockTimestamp, block.timestamp, `${where}.blockTimestamp`)
        }
      }
    },
  ),
])

/** A height or a tag of sealed blocks. */
function isOfSealed(selector: unknown): boolean {
  return /^(0x[0-9a-f]+|latest|safe|finalized)$/.test(String(selector))
}

/** What the first entry of a payload overrides, under whichever name. */
function overriddenIn(payload: unknown): { number: unknown; hasTime: boolean } {
  const { blockStateCalls } = Object(payload) as JsonObject
  const [entry] = Array.isArray(blockStateCalls) ? blockStateCalls : []
  const { number, time, timestamp } = Object((Object(entry) as JsonObject).blockOverrides)
  return { number, hasTime: time !== undefined || timestamp !== undefined }
}

function bloomValuesOf({ log, where }: { log: JsonObject; where: string }) {
  const topics = expectArray(log.topics, `${where}.topics`)
  return [
    expectAddress(log.address, `${where}.address`),
    ...topics.map((topic) => expectHash(topic, `${where}.topics[]`)),
  ]
}

/** The logs of all calls, each with the place of its call. */
function logsOf(block: JsonObject, at: string) {
  return callsOf(block, at).flatMap(({ call, where }, index) =>
    (Array.isArray(call.logs) ? call.logs : []).map((log, each) => ({
      log: expectObject(log, `${where}.logs[${each}]`),
      where: `${where}.logs[${each}]`,
      call: index,
    })),
  )
}
