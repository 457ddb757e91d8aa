import type { CaseResult } from '#reports/model'
import { type ConformanceOptions, runConformance } from '../conformance/index.ts'
import type { GateOrder } from './gate-orders.ts'

/** A case that was not passed in one of the orders. */
export interface OrderFailure {
  order: string
  result: CaseResult
}

/** Runs the gate in each order, some at a time, and gives every case that did not pass. */
export async function judgeOrders(
  orders: readonly GateOrder[],
  options: Pick<ConformanceOptions, 'targets' | 'driver' | 'clock' | 'startCallerWorld'> & {
    /** Runs at once. Default 1. */
    concurrency?: number
    onRun?: (order: GateOrder, failures: readonly OrderFailure[], duration: number) => void
  },
): Promise<OrderFailure[]> {
  const { concurrency = 1, onRun, ...shared } = options
  const failures: OrderFailure[] = []
  const queue = [...orders]
  const worker = async () => {
    for (let order = queue.shift(); order; order = queue.shift()) {
      const { name, cases } = order
      if (cases.length === 0) continue
      const run = await runConformance({ ...shared, cases })
      const failed = run.cases
        .filter(({ verdict }) => verdict !== 'pass')
        .map((result) => ({ order: name, result }))
      failures.push(...failed)
      onRun?.(order, failed, run.duration)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return failures
}
