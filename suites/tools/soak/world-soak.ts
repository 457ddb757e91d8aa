import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'
import type { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { optionsFor } from '#devnet/rollup/world/options-for'
import type { SimulatedWorld } from '#devnet/rollup/world/simulated-world'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { sleep } from '#protocol/clock/clock'
import { GameWatcher } from '#suites/weather/loads/game-watcher'
import { TrackedRequests } from '#suites/weather/loads/tracked-requests'
import { percentile } from '../bench/measurement.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const READS = 200

export interface WorldSoakOptions {
  /** Of virtual time. */
  days: number
  /** Seconds between blocks, of L1 and of L2. */
  blockTime: number
  seed?: number
  onDay?: (day: WorldDay) => void
}

/** What happened on a day, and how things stand at its end. */
export interface WorldDay {
  'L2 blocks': number
  'L2 blocks that safe is behind': number
  'L2 blocks that finalized is behind': number
  'games created': number
  'games won': number
  'games that did not end as they should': number
  'transactions sent': number
  'transactions sealed': number
  'until a receipt, virtual s, median': number
  'until a receipt, virtual s, worst': number
  'builder codes': number
  'requests refused': number
  faults: number
  'values in the store of L2': number
  'values in the store of L1': number
  'heap, MB': number
  'CPU seconds': number
  'ms for 200 reads': number
}

/** What goes wrong in turn, one each hour, for a minute. */
const WEATHER: readonly NonNullable<FaultPlanInput['faults']>[number][] = [
  { target: 'link:host-l1', fault: 'latency', with: { latency: 200, jitter: 100 } },
  { target: 'process:enclave.16', fault: 'kill' },
  { target: 'chain:l1', fault: 'reorg', with: { depth: 1, keep: true } },
  { target: 'link:batcher-l1', fault: 'down' },
  { target: 'process:api', fault: 'kill' },
  { target: 'link:node-l1', fault: 'slicer' },
  { target: 'process:host', fault: 'kill' },
  { target: 'process:proposer', fault: 'kill' },
  { target: 'clock:host', fault: 'skew', with: { by: 2_000 } },
]

/** Lets a whole world live for days, with all actors, light load and light weather, and tells of each day. */
export async function worldSoak(options: WorldSoakOptions): Promise<WorldDay[]> {
  const { days, blockTime, seed = 1, onDay } = options
  await using world = await startSimulatedWorld({
    ...optionsFor({ seed, world: { blockTime } }),
    // Only what happens is needed, not a log of it.
    eventLimit: 1_000,
  })
  const { clock, faults } = world
  let now = fresh()
  const known = new Set<unknown>()
  const forget = world.recorder.on(({ who, what, data }) => {
    if (who !== 'observer' || what !== 'game') return
    if (!known.has(data.address)) now.created += 1
    known.add(data.address)
    const hasWon = data.status === 'DEFENDER_WINS'
    if (hasWon) now.won += 1
    if (data.status !== 'IN_PROGRESS' && hasWon !== data.claimIsTrue) now.untrue += 1
  })
  const again = (pause: number, work: () => Promise<unknown>) => {
    clock.after(pause, () => {
      again(pause, work)
      work().catch(() => {
        now.refused += 1
      })
    })
  }
  let turn = 0
  const games = new GameWatcher(world, new TrackedRequests(world))
  again(5 * MINUTE, () => send(world, turn++, () => now))
  again(10 * MINUTE, () => register(world, turn, () => now))
  again(6 * HOUR, () => games.look())
  const reports: WorldDay[] = []
  const cpu = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  for (let day = 1; day <= days; day++) {
    const before = cpu()
    for (let hour = 0; hour < 24; hour++) {
      const fault = WEATHER[(24 * day + hour) % WEATHER.length]!
      const isMoment = ['kill', 'reorg'].includes(fault.fault)
      const at = HOUR / 2
      const planned = { ...fault, at, ...(!isMoment && { until: at + MINUTE }) }
      const played = faults.play(parseFaultPlan({ duration: HOUR, faults: [planned] }))
      await world.runUntil(world.now() + HOUR)
      await played.done
      now.faults += 1
    }
    reports.push(await endOf(world, now, cpu() - before))
    onDay?.(reports.at(-1)!)
    now = fresh()
  }
  forget()
  return reports
}

const fresh = () => ({
  ...{ created: 0, won: 0, untrue: 0, sent: 0, codes: 0, refused: 0, faults: 0 },
  waits: [] as number[],
})
type Counts = ReturnType<typeof fresh>

async function endOf(world: SimulatedWorld, counts: Counts, cpuSeconds: number): Promise<WorldDay> {
  const { l2 } = world.clients
  const at = async (tag: string) =>
    Number(Object(await l2.request('eth_getBlockByNumber', [tag, false])).number)
  const asked = Promise.all([at('latest'), at('safe'), at('finalized')])
  await world.runUntil(world.now() + 1)
  const [latest, safe, finalized] = await asked
  const waits = counts.waits.sort((a, b) => a - b)
  collectGarbage()
  return {
    'L2 blocks': latest,
    'L2 blocks that safe is behind': latest - safe,
    'L2 blocks that finalized is behind': latest - finalized,
    'games created': counts.created,
    'games won': counts.won,
    'games that did not end as they should': counts.untrue,
    'transactions sent': counts.sent,
    'transactions sealed': waits.length,
    'until a receipt, virtual s, median': waits.length ? percentile(waits, 0.5) : 0,
    'until a receipt, virtual s, worst': waits.at(-1) ?? 0,
    'builder codes': counts.codes,
    'requests refused': counts.refused,
    faults: counts.faults,
    'values in the store of L2': (world.node.chain.store as PrunedStore).size,
    'values in the store of L1': world.l1.store.size,
    'heap, MB': process.memoryUsage().heapUsed / 1024 ** 2,
    'CPU seconds': cpuSeconds,
    'ms for 200 reads': await readMany(world),
  }
}

/** Of the machine's time, not of the world's. */
async function readMany(world: SimulatedWorld): Promise<number> {
  const { clients, facts } = world
  const [account] = facts.accounts
  const began = process.hrtime.bigint()
  const reads = Promise.all(
    Array.from({ length: READS }, (_, index) =>
      index % 2
        ? clients.l2.request('eth_call', [{ to: account!.address, value: '0x0' }, 'latest'])
        : clients.l2.request('eth_getBalance', [account!.address, 'pending']),
    ),
  )
  await world.runUntil(world.now() + 1)
  await reads
  return Number(process.hrtime.bigint() - began) / 1e6
}

async function register({ clients }: SimulatedWorld, turn: number, counts: () => Counts) {
  const body = JSON.stringify({ walletAddress: `0x${turn.toString(16).padStart(40, 'a')}` })
  const headers = { 'content-type': 'application/json' }
  const path = '/v1/agents/builder-codes'
  const { status } = await clients.api({ method: 'POST', path, headers, body })
  if (status >= 300) throw new Error(`status ${status}`)
  counts().codes += 1
}

/** A transfer, and how long it takes until it is in a block. */
async function send(world: SimulatedWorld, turn: number, counts: () => Counts): Promise<void> {
  const { clients, clock, facts, rollupConfig } = world
  const { privateKey, address } = facts.accounts[turn % 8]!
  const nonce = await clients.l2.request('eth_getTransactionCount', [address, 'pending'])
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    chainId: facts.chainId,
    nonce: Number(nonce),
    to: address,
    value: parseEther('0.001'),
    gas: 21_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  const began = clock.now()
  const hash = await clients.l2.request('eth_sendRawTransaction', [raw])
  counts().sent += 1
  for (let look = 0; look < 40; look++) {
    await sleep(clock, rollupConfig.blockTime * 125)
    const receipt = await clients.l2.request('eth_getTransactionReceipt', [hash])
    if (!Object(receipt).blockNumber) continue
    counts().waits.push((clock.now() - began) / 1000)
    return
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
