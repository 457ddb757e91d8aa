import { type Rng, randomInt } from '#protocol/random/rng'
import { type ConformanceCase, shardCases } from '../conformance/index.ts'

/** One way to run the gate: cases in an order, in a run of their own. */
export interface GateOrder {
  /** As a person repeats it, such as `random 3` or `alone rpc.call.gas.01`. */
  name: string
  cases: readonly ConformanceCase[]
}

/** Every case in a run of its own: it may count on nothing that another case did. */
export function eachAlone(cases: readonly ConformanceCase[]): GateOrder[] {
  return cases.map((test) => ({ name: `alone ${test.id}`, cases: [test] }))
}

/** All cases, shuffled, as often as asked. */
export function inRandomOrder(
  cases: readonly ConformanceCase[],
  { count, rng }: { count: number; rng: Rng },
): GateOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `random ${index + 1}`,
    cases: shuffle(cases, rng),
  }))
}

/** All cases in the order of the registry, as often as asked. */
export function again(cases: readonly ConformanceCase[], count: number): GateOrder[] {
  return Array.from({ length: count }, (_, index) => ({ name: `again ${index + 1}`, cases }))
}

/** Each of so many shards. */
export function inShards(cases: readonly ConformanceCase[], count: number): GateOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `shard ${index + 1}/${count}`,
    cases: shardCases(cases, { index: index + 1, count }),
  }))
}

/** Fisher and Yates. */
function shuffle<T>(items: readonly T[], rng: Rng): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(rng, last + 1)
    ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
  }
  return shuffled
}
