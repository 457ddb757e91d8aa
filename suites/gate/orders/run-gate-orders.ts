import { Argument, Command } from 'commander'
import { startDevnet } from '#devnet/index'
import { createWorldProcess } from '#devnet/scenarios/create-world-process'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import { describeFailure } from '#reports/index'
import { wholeNumber } from '#suites/number-flags'
import { createTestMnemonicDriver, selectCases } from '../conformance/index.ts'
import { startFullTargets } from '../mutants/start-full-targets.ts'
import { again, eachAlone, inRandomOrder, inShards } from './gate-orders.ts'
import { judgeOrders } from './judge-orders.ts'
import { slowdown } from './slowdown.ts'

const COUNTS: Readonly<Record<string, number>> = { shards: 5, again: 20 }
const MODES = ['alone', 'random', 'shards', 'again']
const [mode, given, seed, only] = new Command('npm run gate-orders --')
  .description(
    "Judges a devnet by every case alone, in random orders, in shards, or again and again in one order, and fails unless all cases pass each time: no case may count on what another did, or on the gate's own reorganization. `again` fails, too, where the devnet got slower by it.",
  )
  .addArgument(new Argument('[mode]', 'how').choices(MODES).default('alone'))
  .argument('[count]', 'orders (3), shards (5) or times (20)', wholeNumber)
  .argument('[seed]', 'of the random orders', '1')
  .argument('[only]', 'cases as for `rollbed conform --only`; "rpc.*,ws.*,api.*" start no process')
  .parse().processedArgs as [string, number | undefined, string, string | undefined]
const count = given ?? COUNTS[mode] ?? 3
/** A devnet that keeps something of each run takes longer than this share of its first runs in the end. */
const MOST_SLOWDOWN = 1.25
const CHAIN_ONLY = ['rpc', 'rpcTestnet', 'rpcPlain', 'ws', 'api', 'driver']
// In blobs, as chains have them: PIPE-02 is judged nowhere else.
await using devnet = await startDevnet({ dataAvailability: 'blobs' })
await using full = await startFullTargets(devnet.description, systemClock)
const { targets } = full
await using worlds = createWorldProcess()
const { signal } = new AbortController()
const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
const all = selectCases(only)
const parts = mode === 'alone' ? alone() : [{ orders: together(), concurrency: 1 }]
const total = parts.reduce((sum, { orders }) => sum + orders.length, 0)
let done = 0
let bad = 0
const durations: number[] = []
for (const { orders, concurrency } of parts) {
  await judgeOrders(orders, {
    targets,
    driver,
    clock: systemClock,
    startCallerWorld: worlds.start,
    concurrency,
    onRun: ({ name }, failures, duration) => {
      bad += failures.length
      durations.push(duration)
      const says = failures.length ? `${failures.length} not passed` : 'all passed'
      process.stderr.write(`${++done}/${total} ${name}: ${says}, ${duration} ms\n`)
      for (const { result } of failures) process.stdout.write(`${describeFailure(result)}\n\n`)
    },
  })
}
process.stdout.write(`${total} runs, ${bad} cases not passed\n`)
process.exitCode = bad > 0 || (mode === 'again' && (await isWorn())) ? 1 : 0

/** Whether the devnet is another one than before it was judged. */
async function isWorn(): Promise<boolean> {
  const damage = await driver.damage?.()
  if (damage) process.stdout.write(`It does not get over it: ${damage}\n`)
  const slowed = slowdown(durations)
  const says = slowed
    ? `The last runs took ${slowed.toFixed(2)} times what the first ones on a grown chain took`
    : 'Too few runs to tell whether it got slower: it takes four once the chain is two minutes old'
  process.stdout.write(`${says}\n`)
  return damage !== undefined || (slowed ?? 1) > MOST_SLOWDOWN
}

function together() {
  if (mode === 'again') return again(all, count)
  return mode === 'random'
    ? inRandomOrder(all, { count, rng: seededRng(seed) })
    : inShards(all, count)
}

/** Those of the chain side by side, those of prover and enclave nearly one by one, reorganizers last. */
function alone() {
  const peaceful = all.filter((test) => !test.isDisruptive)
  const onChain = peaceful.filter((test) => test.needs.every((need) => CHAIN_ONLY.includes(need)))
  const others = peaceful.filter((test) => !onChain.includes(test))
  return [
    { orders: eachAlone(onChain), concurrency: 6 },
    { orders: eachAlone(others), concurrency: 2 },
    { orders: eachAlone(all.filter((test) => test.isDisruptive)), concurrency: 1 },
  ]
}
