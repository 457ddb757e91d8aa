import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Command, Option } from 'commander'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { CHAINS, type ChainName } from '#devnet/base/options/upgrade-options'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { anyNumber, wholeNumber } from '#suites/number-flags'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { percentile } from '../bench/measurement.ts'
import { printTable } from '../bench/print-table.ts'
import { sampleProcesses } from '../bench/sample-processes.ts'
import { DevnetLoad, type Latencies } from './devnet-load.ts'
import { virtualSoak } from './virtual-soak.ts'
import { type WorldDay, worldSoak } from './world-soak.ts'

interface Flags {
  minutes: number
  transactions: number
  reads: number
  historyBlocks: number
  virtualHours?: number
  chain?: ChainName
  worldDays?: number
  blockTime: number
  json?: true
}

const flags = new Command('npm run soak --')
  .description(
    'A devnet with actors under load, and at each quarter of the time what its processes hold, how far L2 is behind L1, and how long things take. What grows from the second quarter to the last leaks; history is full within ten minutes, and a node that holds a tenth more at the end than it held after those fails the run.',
  )
  .option('--minutes <n>', 'how long', anyNumber, 30)
  .option('--transactions <n>', 'of each second', anyNumber, 50)
  .option('--reads <n>', 'of each second', anyNumber, 200)
  .option('--history-blocks <n>', 'that the node keeps', wholeNumber, 2_000)
  .option('--virtual-hours <n>', 'instead, the node alone on a virtual clock', anyNumber)
  .addOption(
    new Option('--chain <name>', "of virtual hours; the specification's unless told").choices(
      Object.keys(CHAINS),
    ),
  )
  .option('--world-days <n>', 'instead, the whole simulated world in light weather', anyNumber)
  .option('--block-time <seconds>', 'of world days', anyNumber, 60)
  .option('--json', 'one object on stdout')
  .parse()
  .opts<Flags>()
if (flags.virtualHours) {
  const { virtualHours: hours, chain } = flags
  const quarters = await virtualSoak({
    hours,
    chain,
    flashblockTime: 2_000,
    // What a devnet keeps: as long a time, in blocks of 200 ms.
    historyBlocks: chain ? 20_000 : 2_000,
    sleep: 120_000,
    onQuarter: (quarter) => flags.json || console.error(JSON.stringify(quarter)),
  })
  print(`${hours} virtual hours, a machine that sleeps 2 minutes in each quarter`, quarters)
  process.exit(0)
}
if (flags.worldDays) {
  const { worldDays: days, blockTime } = flags
  const onDay = (day: WorldDay) => flags.json || console.error(JSON.stringify(day))
  const title = `${days} virtual days of the whole world, blocks of ${blockTime} s`
  print(title, await worldSoak({ days, blockTime, onDay }), { each: 'day' })
  process.exit(0)
}

/** Minutes until the history has all the memory that it may take. */
const FULL_AFTER = 10
/** Memory at the end, as a multiple of what it was then: V8 lets garbage lie for a while. */
const MOST_GROWTH = 1.1
const NODE_MEMORY = 'rollbed up: memory, MB'
const { minutes } = flags
const rates = {
  transactions: flags.transactions,
  reads: flags.reads,
  subscribers: 9,
  proofEvery: 10,
}

const history = ['--history-blocks', String(flags.historyBlocks)]
const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', '--actors', ...history])
const quarters: Record<string, number>[] = []
const failures = new Map<string, number>()
try {
  const devnet = await rollbed.ready()
  const load = new DevnetLoad(devnet, rates, systemClock)
  await load.start()
  const [l1, l2] = [httpRpcClient(devnet.l1RpcUrl), httpRpcClient(devnet.rpcUrl)]
  for (let quarter = 1; quarter <= 4; quarter++) {
    await sleep(systemClock, (minutes * 60_000) / 4)
    const taken = load.take()
    for (const [why, count] of taken.failures) failures.set(why, (failures.get(why) ?? 0) + count)
    quarters.push({ ...held(rollbed.child.pid!), ...(await lags(l1, l2)), ...speeds(taken) })
    if (!flags.json) console.error(`quarter ${quarter} of 4: ${JSON.stringify(quarters.at(-1))}`)
  }
  await load.stop()
} finally {
  const { exitCode, stderr } = await rollbed.stop()
  if (!flags.json)
    console.error(`rollbed ended with ${exitCode}. It said:\n${stderr.slice(-4_000)}`)
}

const failed = [...failures].map(([why, count]) => `${count} × ${why}`).join('; ') || 'nothing'
print(
  `${minutes} minutes, ${flags.historyBlocks} blocks of history, ${rates.transactions} tx/s, ${rates.reads} reads/s, ${rates.subscribers} subscribers, a proof every ${rates.proofEvery} s`,
  quarters,
  { note: `Failed: ${failed}` },
)

const [full] = quarters.slice(Math.ceil(FULL_AFTER / (minutes / 4)) - 1)
const [before, after] = [full, quarters.at(-1)].map((quarter) => quarter?.[NODE_MEMORY] ?? 0)
if (after! > before! * MOST_GROWTH) {
  console.error(`The node held ${before} MB when its history was full, and ${after} MB at the end.`)
  process.exitCode = 1
}

function print(
  title: string,
  measured: readonly object[],
  { note = '', each = 'quarter' }: { note?: string; each?: 'day' | 'quarter' } = {},
): void {
  if (flags.json) {
    console.log(JSON.stringify({ title, [`${each}s`]: measured, note }))
    return
  }
  const names = [...new Set(measured.flatMap((quarter) => Object.keys(quarter)))]
  const rows = names.map((what) => {
    const values = measured.map((quarter, i) => {
      return [`${each} ${i + 1}`, (quarter as Record<string, number>)[what] ?? 0] as const
    })
    return { what, values: Object.fromEntries(values) }
  })
  console.log(printTable({ title, note, rows }))
}

/** Memory, handles and files of all processes. */
function held(root: number): Record<string, number> {
  const values: Record<string, number> = {}
  for (const { name, memory, handles } of sampleProcesses(root)) {
    values[`${name}: memory, MB`] = memory
    values[`${name}: handles`] = handles
  }
  values['files in the temporary folder'] = readdirSync(tmpdir(), { recursive: true }).length
  values['files without a name, MB'] = unnamedFiles(root) / 1024 ** 2
  return values
}

/** Bytes of what is on disk under no name. */
function unnamedFiles(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).reduce((sum, name) => {
    try {
      const isUnnamed = readlinkSync(`${folder}/${name}`).endsWith(' (deleted)')
      return sum + (isUnnamed ? statSync(`${folder}/${name}`).size : 0)
    } catch {
      return sum
    }
  }, 0)
}

/** Blocks between the heads. */
async function lags(l1: RpcClient, l2: RpcClient): Promise<Record<string, number>> {
  // L1Block.number()
  const origin = { to: '0x4200000000000000000000000000000000000015', data: '0x8381f58a' }
  const [head, known, latest, safe] = await Promise.all([
    l1.request('eth_blockNumber', []),
    l2.request('eth_call', [origin, 'latest']),
    l2.request('eth_getBlockByNumber', ['latest', false]),
    l2.request('eth_getBlockByNumber', ['safe', false]),
  ])
  const number = (block: unknown) => Number(Object(block).number)
  const clock = systemClock.now() / 1000
  return {
    'L1 blocks that L2 is behind': Number(head) - Number(known),
    'L2 blocks that safe is behind': number(latest) - number(safe),
    'L2 seconds behind the clock': clock - Number(Object(latest).timestamp),
    'L2 blocks': number(latest),
  }
}

function speeds(taken: Latencies): Record<string, number> {
  const { preconfirmed, read, proof, messages } = taken
  return {
    'transactions pre-confirmed': preconfirmed.length,
    'pre-confirmed after, ms, median': percentile(preconfirmed, 0.5),
    'pre-confirmed after, ms, 99 of 100': percentile(preconfirmed, 0.99),
    reads: read.length,
    'read, ms, median': percentile(read, 0.5),
    'read, ms, 99 of 100': percentile(read, 0.99),
    proofs: proof.length,
    'proof, ms, median': percentile(proof, 0.5),
    'messages to subscribers': messages,
  }
}
