import type { BaseLogger } from 'pino'
import type { Clock } from '#protocol/clock/clock'
import type { HostMetrics } from './host-metrics.ts'

/** Milliseconds between two lines about a running proof at level info; the rest is debug. */
const LINE_INTERVAL = 5_000

export interface ProofProgress {
  /** A block was executed on the way to the witness. */
  onBlock(block: { number: bigint }): void
  /** Nothing runs any more. */
  end(): void
}

/** Shows how far the proof on one enclave is: blocks executed of all, in log lines and metrics. */
export function proofProgress(options: {
  /** Fields of every log line. */
  about: Record<string, unknown>
  cid: number
  lastBlock: bigint
  clock: Clock
  metrics: Pick<HostMetrics, 'executedBlocks' | 'rangeBlocks'>
  logger: BaseLogger
}): ProofProgress {
  const { about, cid, lastBlock, clock, metrics, logger } = options
  let first: bigint | undefined
  let nextLine = clock.now() + LINE_INTERVAL

  const show = (executed: number, total: number) => {
    metrics.executedBlocks.set({ cid }, executed)
    metrics.rangeBlocks.set({ cid }, total)
  }
  return {
    onBlock({ number }) {
      first ??= number
      const executed = Number(number - first) + 1
      const total = Number(lastBlock - first) + 1
      show(executed, total)
      const due = clock.now() >= nextLine
      if (due) nextLine = clock.now() + LINE_INTERVAL
      logger[due ? 'info' : 'debug']({ ...about, executed, total }, 'block executed')
    },
    end: () => show(0, 0),
  }
}
