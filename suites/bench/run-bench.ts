import { availableParallelism, cpus, loadavg } from 'node:os'
import { benchBlockExecution } from './bench-block-execution.ts'
import { benchCallLatency } from './bench-call-latency.ts'
import { benchProveRange } from './bench-prove-range.ts'
import { benchSendToVisible } from './bench-send-to-visible.ts'
import { benchStartUp } from './bench-start-up.ts'
import type { BenchResult } from './measurement.ts'
import { printTable } from './print-table.ts'
import { benchReads } from './reads/bench-reads.ts'

/**
 * `npm run bench [-- name …] [--json]`: side by side with anvil, because only ratios mean anything on
 * another machine. Names: start-up, calls, blocks, prove, reads, visible; all of them unless told.
 */
const BENCHES: Record<string, () => Promise<BenchResult>> = {
  'start-up': benchStartUp,
  calls: benchCallLatency,
  blocks: benchBlockExecution,
  prove: benchProveRange,
  reads: benchReads,
  visible: benchSendToVisible,
}

const args = process.argv.slice(2)
const json = args.includes('--json')
const names = args.filter((arg) => arg !== '--json')
const unknown = names.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  loadBefore: loadavg()[0]!,
}
const results: BenchResult[] = []
for (const name of names.length ? names : Object.keys(BENCHES)) {
  const result = await BENCHES[name]!()
  results.push(result)
  if (!json) console.log(`${printTable(result)}\n`)
}
if (json) console.log(JSON.stringify({ machine, results }, null, 2))
else console.log(`${machine.cores} × ${machine.cpu}, load ${machine.loadBefore.toFixed(1)} before`)
