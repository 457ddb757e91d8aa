import { availableParallelism, cpus, loadavg } from 'node:os'
import { keepUpBundle } from '#devnet/cli/up-program/keep-up-bundle'
import { benchAccounts } from './bench-accounts.ts'
import { benchBlockExecution } from './bench-block-execution.ts'
import { benchBranches } from './bench-branches.ts'
import { benchCallLatency } from './bench-call-latency.ts'
import { benchFullBlocks } from './bench-full-blocks.ts'
import { benchGrowth } from './bench-growth.ts'
import { benchIdle } from './bench-idle.ts'
import { benchKeccak } from './bench-keccak.ts'
import { benchProveRange } from './bench-prove-range.ts'
import { benchSendToVisible } from './bench-send-to-visible.ts'
import { benchStartUp } from './bench-start-up.ts'
import { benchSwarm } from './bench-swarm.ts'
import { benchTodaysChain } from './bench-todays-chain.ts'
import { addFigures } from './figures.ts'
import { benchIsolatedTests } from './isolated-tests/bench-isolated-tests.ts'
import type { BenchResult } from './measurement.ts'
import { printTable } from './print-table.ts'
import { benchReads } from './reads/bench-reads.ts'
import { benchSimulate } from './reads/bench-simulate.ts'
import { writePage } from './write-page.ts'

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith('--')))

/**
 * `npm run bench [-- name …] [--json] [--page] [--long]`: side by side with anvil, because only ratios
 * mean anything on another machine. Names: the keys of `BENCHES`; all of
 * them unless told. `--page` adds the run to `figures.json` and writes `speed.html` beside it;
 * `--long` takes minutes and gigabytes to see how cost grows further.
 */
const BENCHES: Record<string, () => Promise<BenchResult>> = {
  accounts: benchAccounts,
  branches: benchBranches,
  'start-up': benchStartUp,
  calls: benchCallLatency,
  blocks: benchBlockExecution,
  'full-blocks': benchFullBlocks,
  growth: () => benchGrowth({ long: flags.has('--long') }),
  idle: benchIdle,
  'isolated-tests': benchIsolatedTests,
  keccak: benchKeccak,
  prove: benchProveRange,
  reads: benchReads,
  simulate: benchSimulate,
  swarm: benchSwarm,
  today: benchTodaysChain,
  visible: benchSendToVisible,
}

const HELP = `npm run bench [-- name … flag …]: the devnet side by side with anvil, as ratios.

Names, all of them unless told: ${Object.keys(BENCHES).join(', ')}
  --json   the figures as JSON
  --page   adds the run to suites/tools/bench/figures.json and writes suites/tools/bench/speed.html
  --long   how cost grows, further: takes minutes and gigabytes
  --help   this text; nothing is measured`

if (args.some((arg) => arg === '--help' || arg === '-h' || arg === 'help')) {
  console.log(HELP)
  process.exit(0)
}

const FLAGS = ['--json', '--page', '--long']
const json = flags.has('--json')
const names = args.filter((arg) => !flags.has(arg))
const unknown = [
  ...names.filter((name) => !(name in BENCHES)),
  ...[...flags].filter((flag) => !FLAGS.includes(flag)),
]
if (unknown.length > 0) {
  const known = [...Object.keys(BENCHES), ...FLAGS]
  console.error(`There is no benchmark or flag ${unknown.join(', ')}: ${known.join(', ')}.`)
  process.exit(2)
}

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  loadBefore: loadavg()[0]!,
}
// Measured is the program that `npm ci` leaves, also where a source has changed since.
await keepUpBundle()
const results: BenchResult[] = []
for (const name of names.length ? names : Object.keys(BENCHES)) {
  const result = await BENCHES[name]!()
  results.push(result)
  if (!json) console.log(`${printTable(result)}\n`)
}
if (json) console.log(JSON.stringify({ machine, results }, null, 2))
else console.log(`${machine.cores} × ${machine.cpu}, load ${machine.loadBefore.toFixed(1)} before`)
if (flags.has('--page')) {
  const busy = machine.loadBefore < 1 ? '' : `, load ${Math.round(machine.loadBefore)}`
  const path = writePage(addFigures(`${machine.cores} × ${machine.cpu}${busy}`, results))
  if (!json) console.log(`The page is ${path}.`)
}
