import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'
import { type BenchResult, median, sideBySide } from '../measurement.ts'
import { poolAbi, poolBytecode } from './pool-contract.ts'
import {
  account,
  anvilTests,
  hardhatTests,
  type Isolated,
  rollbedTests,
  type TestChain,
} from './test-chain.ts'

const ROUNDS = 20
/** Of each kind in a round. */
const TESTS = 15
const SUPPLY = 10n ** 24n
const IN_POOL = 10n ** 21n
const PAID = 10n ** 18n
const RECEIVER = '0x000000000000000000000000000000000000bEEF'

interface Deployed {
  first: Hex
  second: Hex
  pool: Hex
}

/** Thirty tests as a dapp has them, each on a chain of its own: 15 transfers and 15 swaps. */
export async function benchIsolatedTests(): Promise<BenchResult> {
  const [ours, anvil, hardhat] = await Promise.all([rollbedTests(), anvilTests(), hardhatTests()])
  const chains = { ours, anvil, hardhat }
  const runs: Record<string, () => Promise<void>> = {}
  const spent: Record<string, number[]> = {}
  for (const [name, chain] of Object.entries(chains)) {
    const deployed = await deploy(chain.ground)
    spent[name] = []
    runs[name] = async () => {
      const before = process.cpuUsage()
      await runTests(chain, deployed)
      const { user, system } = process.cpuUsage(before)
      spent[name]!.push((user + system) / 1000)
    }
  }
  const times = await sideBySide(runs, ROUNDS)
  for (const chain of Object.values(chains)) await chain.stop()
  // The rounds that warm up come first, and are not counted.
  const cpu = (name: string) => median(spent[name]!.slice(-ROUNDS))
  const best = { ms: median(times.hardhat!), cpu: cpu('hardhat') }
  return {
    title: 'Thirty isolated tests',
    note: `Medians of ${ROUNDS} rounds, in turns: 15 transfers and 15 swaps by viem, without the start. Hardhat's network, of the lane 'clients' (npx node suites/tools/lanes/install-lane.ts clients), is in the process of the tests, as ours is; anvil, whose CPU time is not counted, is not.`,
    rows: Object.entries(times).map(([what, each]) => ({
      what,
      values: {
        ms: median(each),
        '÷ Hardhat': median(each) / best.ms,
        ...(what !== 'anvil' && {
          'CPU ms': cpu(what),
          'CPU ÷ Hardhat': cpu(what) / best.cpu,
        }),
      },
    })),
  }
}

async function deploy(isolated: Isolated): Promise<Deployed> {
  const { bytecode } = loadContract('TestToken')
  const token = (name: string) =>
    create(isolated, encodeDeployData({ abi: testTokenAbi, bytecode, args: [name, name, SUPPLY] }))
  const [first, second] = [await token('ONE'), await token('TWO')]
  const pool = await create(
    isolated,
    encodeDeployData({ abi: poolAbi, bytecode: poolBytecode(), args: [first, second] }),
  )
  await transfer(isolated, first, pool, IN_POOL)
  await transfer(isolated, second, pool, IN_POOL)
  return { first, second, pool }
}

async function runTests(chain: TestChain, deployed: Deployed): Promise<void> {
  for (let test = 0; test < TESTS; test++) {
    await inIsolation(chain, async (isolated) => {
      await transfer(isolated, deployed.first, RECEIVER, PAID)
      await expectBalance(isolated, deployed.first, RECEIVER, PAID)
    })
    await inIsolation(chain, (isolated) => swap(isolated, deployed))
  }
}

async function inIsolation(chain: TestChain, test: (isolated: Isolated) => Promise<void>) {
  const isolated = await chain.isolate()
  await test(isolated)
  await isolated.end()
}

async function swap(isolated: Isolated, { first, second, pool }: Deployed): Promise<void> {
  const approval = { functionName: 'approve', args: [pool, PAID] } as const
  await send(isolated, encodeFunctionData({ abi: testTokenAbi, ...approval }), first)
  await send(
    isolated,
    encodeFunctionData({ abi: poolAbi, functionName: 'swap', args: [PAID] }),
    pool,
  )
  // The product of both stays: what is left is IN_POOL² ÷ (IN_POOL + PAID), rounded up.
  const bought = IN_POOL - (IN_POOL * IN_POOL + IN_POOL + PAID - 1n) / (IN_POOL + PAID)
  await expectBalance(isolated, second, account.address, SUPPLY - IN_POOL + bought)
}

async function transfer(isolated: Isolated, token: Hex, to: Hex, amount: bigint): Promise<void> {
  const call = { functionName: 'transfer', args: [to, amount] } as const
  await send(isolated, encodeFunctionData({ abi: testTokenAbi, ...call }), token)
}

async function expectBalance(isolated: Isolated, token: Hex, owner: Hex, amount: bigint) {
  const call = { functionName: 'balanceOf', args: [owner] } as const
  const has = BigInt(await isolated.call(token, encodeFunctionData({ abi: testTokenAbi, ...call })))
  if (has !== amount) throw new Error(`${owner} has ${has} of ${token}, not ${amount}.`)
}

const create = async (isolated: Isolated, data: Hex): Promise<Hex> =>
  (await send(isolated, data)).contractAddress!

async function send(isolated: Isolated, data: Hex, to?: Hex) {
  const receipt = await isolated.send(to ? { to, data } : { data })
  if (receipt.status !== 'success') throw new Error('A transaction of a test has reverted.')
  return receipt
}
