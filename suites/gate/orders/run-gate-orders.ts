import { startDevnet } from '#devnet/index'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import { describeFailure } from '#reports/index'
import { createTestMnemonicDriver, selectCases } from '../conformance/index.ts'
import { startFullTargets } from '../mutants/start-full-targets.ts'
import { eachAlone, inRandomOrder, inShards } from './gate-orders.ts'
import { judgeOrders } from './judge-orders.ts'

/**
 * `npm run gate-orders -- alone|random|shards [COUNT] [SEED] [ONLY]`: judges a devnet by every case
 * alone, in COUNT random orders (default 3), or in COUNT shards (default 5), and fails unless all cases
 * pass each time: no case may count on what another did, or on the gate's own reorganization. ONLY names
 * cases as `rollbed conform --only` does, such as `rpc.*,ws.*,api.*` for those that start no process.
 */
const [mode = 'alone', count = mode === 'shards' ? '5' : '3', seed = '1', only] =
  process.argv.slice(2)
const CHAIN_ONLY = ['rpc', 'rpcTestnet', 'rpcPlain', 'ws', 'api', 'driver']
// In blobs, as chains have them: PIPE-02 is judged nowhere else.
await using devnet = await startDevnet({ dataAvailability: 'blobs' })
await using full = await startFullTargets(devnet.description, systemClock)
const { targets } = full
const { signal } = new AbortController()
const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
const all = selectCases(only)
const parts = mode === 'alone' ? alone() : [{ orders: together(), concurrency: 1 }]
const total = parts.reduce((sum, { orders }) => sum + orders.length, 0)
let done = 0
let bad = 0
for (const { orders, concurrency } of parts) {
  await judgeOrders(orders, {
    targets,
    driver,
    clock: systemClock,
    startCallerWorld,
    concurrency,
    onRun: ({ name }, failures, duration) => {
      bad += failures.length
      const says = failures.length ? `${failures.length} not passed` : 'all passed'
      process.stderr.write(`${++done}/${total} ${name}: ${says}, ${duration} ms\n`)
      for (const { result } of failures) process.stdout.write(`${describeFailure(result)}\n\n`)
    },
  })
}
process.stdout.write(`${total} runs, ${bad} cases not passed\n`)
process.exitCode = bad > 0 ? 1 : 0

function together() {
  return mode === 'random'
    ? inRandomOrder(all, { count: Number(count), rng: seededRng(seed) })
    : inShards(all, Number(count))
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
