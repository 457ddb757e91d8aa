import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectBytes, expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import {
  expectArray,
  expectKeys,
  expectObject,
  type JsonObject,
} from '../../matchers/expect-shape.ts'
import { simulate } from '../../reads/simulate.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { BLOCK_FIELDS } from '../../spec/block-fields.ts'

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
  ofSimulated(
    {
      id: 'rpc.simulate.seen-calls.01',
      title: 'Every simulated call of the run has its outcome, and their gas is that of the block',
      rules: ['RPC-SIM-28', 'RPC-SIM-33', 'RPC-SIM-34', 'RPC-SIM-35', 'RPC-SIM-36', 'RPC-SIM-37'],
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
          if (call.status === '0x1') expectArray(call.logs, `${where}.logs`)
        }
        expectEqual(expectQuantity(block.gasUsed, `${at}.gasUsed`), sum, `${at}.gasUsed`)
      }
    },
  ),
])
