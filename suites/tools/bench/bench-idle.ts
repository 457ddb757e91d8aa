import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import type { BenchResult, Row } from './measurement.ts'
import { sampleProcesses } from './sample-processes.ts'

/** What starting leaves behind is over by then. */
const SETTLING = 15_000
/** `ROLLBED_BENCH_SECONDS` makes it shorter, to see whether it runs. */
const SECONDS = Number(process.env.ROLLBED_BENCH_SECONDS ?? 60)
/** Jiffies in a second, as Linux counts them for everybody. */
const TICKS = 100

/** Devnets that nobody asks anything: blocks of their own, L1, an enclave; of 2 s, and then of 200 ms. */
export async function benchIdle(): Promise<BenchResult> {
  const before = await idle([])
  const today = await idle(['--chain', 'today'])
  return {
    title: `An idle devnet, watched for ${SECONDS} s`,
    note: 'Resident memory: pages that processes share count in each; by shares, once for all that have them, other devnets included.',
    rows: [...before, { ...today.at(-1)!, what: "all processes, today's chain" }],
  }
}

/** A row for each process, and one of all. */
async function idle(flags: readonly string[]): Promise<Row[]> {
  const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', ...flags])
  try {
    await rollbed.ready()
    const root = rollbed.child.pid!
    await wait(Math.min(SETTLING, SECONDS * 1_000))
    const before = new Map(sampleProcesses(root).map(({ pid }) => [pid, cpuTicks(pid)]))
    const start = performance.now()
    await wait(SECONDS * 1_000)
    const seconds = (performance.now() - start) / 1_000
    const rows = sampleProcesses(root).map(({ pid, name, memory, proportional }) => ({
      what: name,
      values: {
        'CPU % of a core': (cpuTicks(pid) - (before.get(pid) ?? 0)) / TICKS / seconds / 0.01,
        'memory MB': memory,
        'of it by shares MB': proportional,
      },
    }))
    const sum = (column: keyof (typeof rows)[0]['values']) =>
      rows.reduce((all, { values }) => all + values[column], 0)
    const all = {
      what: 'all processes',
      values: {
        'CPU % of a core': sum('CPU % of a core'),
        'memory MB': sum('memory MB'),
        'of it by shares MB': sum('of it by shares MB'),
      },
    }
    return [...rows, all]
  } finally {
    await rollbed.stop()
  }
}

/** What the process and its threads have used. */
function cpuTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
