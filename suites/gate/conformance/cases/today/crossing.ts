import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { type Crossing, crossing, watchedCrossing } from '../../scenes/crossing.ts'
import { partOf, SLOT, setsBaseTime, timeOf, wholeTransactions } from '../../spec/base-time.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'

/** By what the gas limit is divided and the denominator multiplied, once. */
const SCALE = 10n
/** A head and the notification of a stream that was sent before it may change places on the way; milliseconds. */
const ON_THE_WAY = 1_000

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale'>

const aCase = (
  about: About,
  judge: (crossing: Crossing, t: CaseContext) => void,
): ConformanceCase => ({
  ...about,
  area: 'today',
  profiles: ['today'],
  needs: ['rpc'],
  run: async (t) => judge(await t.scene(crossing), t),
})

const secondsOf = ({ timestamp }: JsonObject) => expectQuantity(timestamp, 'timestamp')
const gasLimitOf = ({ gasLimit }: JsonObject) => expectQuantity(gasLimit, 'gasLimit')

export const cases = defineCases([
  aCase(
    {
      id: 'today.crossing.grid.01',
      title: 'The first block of 200 ms comes one block time of before after its parent, at .000',
      rules: ['TODAY-CROSS-01'],
      rationale: 'It lies on the old grid: the clock of the chain neither jumps nor waits.',
    },
    ({ before, after }) => {
      const [grandparent, parent, first] = [before.at(-2), before.at(-1)!, after[0]!]
      if (!grandparent) notApplicable('There is only one block before it.')
      expectEqual(first.parentHash, parent.hash, 'parentHash of the first block of 200 ms')
      const usual = secondsOf(parent) - secondsOf(grandparent)
      expectEqual(secondsOf(first) - secondsOf(parent), usual, 'seconds from its parent to it')
      expectEqual(partOf(first), 0n, 'milliseconds within its second')
    },
  ),
  aCase(
    {
      id: 'today.crossing.deposit.01',
      title: 'Only blocks from there on have the deposit of BaseTime',
      rules: ['TODAY-CROSS-02'],
      rationale: 'A block of before with it is invalid, as is one of after without.',
    },
    ({ before, after }) => {
      const deposits = (block: JsonObject) => wholeTransactions(block).filter(setsBaseTime).length
      for (const block of before) expectEqual(deposits(block), 0, `deposits in ${block.number}`)
      for (const block of after) expectEqual(deposits(block), 1, `deposits in ${block.number}`)
      const [first, second] = after
      expectEqual(timeOf(second!) - timeOf(first!), SLOT, 'milliseconds from the first to the next')
    },
  ),
  aCase(
    {
      id: 'today.crossing.gas-limit.01',
      title: "Its gas limit is a tenth of its parent's",
      rules: ['TODAY-CROSS-03'],
      rationale: 'Ten times as many blocks would hold ten times the gas otherwise.',
    },
    ({ before, after }) => {
      const wanted = gasLimitOf(before.at(-1)!) / SCALE
      for (const block of after)
        expectEqual(gasLimitOf(block), wanted, `gasLimit of ${block.number}`)
    },
  ),
  aCase(
    {
      id: 'today.crossing.parameters.01',
      title: 'Its denominator is ten times that of its parent, all else in extraData stays',
      rules: ['TODAY-CROSS-04'],
      rationale: 'So that the base fee moves as fast by the clock as it did before.',
    },
    ({ before, after }) => {
      const old = parametersOf(before.at(-1)!)
      const wanted = { ...old, denominator: old.denominator * SCALE }
      for (const block of after) expectEqual(parametersOf(block), wanted, `block ${block.number}`)
    },
  ),
  aCase(
    {
      id: 'today.crossing.base-fee.01',
      title: 'Its base fee follows by the parameters of before, that of the next by the new ones',
      rules: ['TODAY-CROSS-05'],
      rationale: 'Parameters are those of the parent, also here.',
    },
    ({ before, after }) => {
      const all = [before.at(-1)!, ...after]
      for (const [at, block] of after.entries()) {
        const own = expectQuantity(block.baseFeePerGas, 'baseFeePerGas')
        expectEqual(own, nextBaseFee(all[at]!), `baseFeePerGas of block ${block.number}`)
      }
    },
  ),
  {
    id: 'today.crossing.watched.01',
    title: 'Heads are told over the crossing without a gap, and retired streams end with it',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-CROSS-06'],
    needs: ['rpc', 'ws'],
    opensWith: watchedCrossing,
    rationale: 'Where the crossing lies ahead the gate listens from before it to after it.',
    async run(t) {
      const { heads, first, from, late } = await t.scene(watchedCrossing)
      if (from + 1n >= first) notApplicable('It came while the gate began to listen.')
      const numbers = heads.map(({ number }) => expectQuantity(number, 'number of a head'))
      const [lowest = first] = numbers
      expectThat(lowest <= from + 1n, `${from + 1n} or before`, lowest, 'first head')
      const inARow = numbers.map((_, at) => lowest + BigInt(at))
      expectEqual(numbers, inARow, 'numbers of heads')
      const foreign = late.filter(({ at }) => at > ON_THE_WAY)
      expectEqual(foreign, [], 'messages of retired subscriptions, in milliseconds after it')
    },
  },
])

/** The parameters that extraData carries, by name. */
function parametersOf(block: JsonObject) {
  const extra = expectBytes(block.extraData, 'extraData', 17)
  const part = (from: number, to: number) => BigInt(`0x${extra.slice(2 + from * 2, 2 + to * 2)}`)
  return {
    version: part(0, 1),
    denominator: part(1, 5),
    elasticity: part(5, 9),
    minBaseFee: part(9, 17),
  }
}
