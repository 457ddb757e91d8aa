import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { type RunningNodeRpc, startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import { type Node, startNode } from '#devnet/l2/node/start-node'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { generatedL1, l1Hash, portal } from '../sequencer/generated-l1.ts'
import { transfer } from '../sequencer/transfer.ts'

const resources = new ResourceStack()
let node: Node
let rpc: RunningNodeRpc

/** A node in real time, with its RPC. */
beforeAll(async () => {
  const clock = systemClock
  const now = Math.floor(clock.now() / 1000)
  const contracts = { ...l1ContractAddresses(roleKeys.deployer.address), optimismPortal: portal }
  const l1Start = { number: 0n, hash: l1Hash(0n), timestamp: now }
  const { config, block, store } = await rollupGenesis({
    l1Start,
    contracts,
    fork: 'jovian',
    blockTime: 2,
  })
  const l1View = generatedL1(clock, now, 6)
  node = resources.add(
    await startNode({ config, genesis: block, store, clock, l1RpcUrl: 'unused', l1View }),
  )
  const execution = { chainId: node.chain.chainId, fork: config.fork }
  rpc = resources.add(
    // No limit that the calls of this test could reach on a slow machine.
    await startNodeRpc({
      chain: node.chain,
      config: execution,
      clock,
      port: 0,
      callTimeLimit: 300_000,
    }),
  )
})

afterAll(() => resources.stop())

const TARGET = `0x${'70'.repeat(20)}`
/** JUMPDEST PUSH0 JUMP: uses all of its gas. */
const ENDLESS = '0x5b5f56'
const GAS = 50_000_000

/** Ends with an error, when 50M gas are spent. */
function heavyCall(): Promise<unknown> {
  const call = { to: TARGET, gas: `0x${GAS.toString(16)}` }
  return httpRpcClient(rpc.url)
    .request('eth_call', [call, 'latest', { [TARGET]: { code: ENDLESS } }])
    .catch((error) => error)
}

function heavySimulation(): Promise<unknown> {
  const calls = [{ to: TARGET }]
  const blockStateCalls = [{ stateOverrides: { [TARGET]: { code: ENDLESS } }, calls }]
  return httpRpcClient(rpc.url)
    .request('eth_simulateV1', [{ blockStateCalls }, 'pending'])
    .catch((error) => error)
}

test('given calls of 50M gas on all threads, then flashblocks go on and other requests do not wait', async () => {
  const client = httpRpcClient(rpc.url)
  let flashblocks = 0
  const end = node.chain.on('flashblock', () => flashblocks++)
  let ended = 0
  // However fast the machine is, both threads are busy for as long as this goes on.
  const heavy = [heavyCall, heavySimulation].map(async (start) => {
    for (;;) {
      const outcome = await start()
      ended++
      if (flashblocks > 5) return outcome
    }
  })
  const hash = await node.chain.submit(transfer(0, 0))
  const included = new Promise<void>((resolve) => {
    node.chain.on('flashblock', ({ transactions }) => {
      if (transactions.some((transaction) => transaction.hash === hash)) resolve()
    })
  })
  for (let request = 0; request < 5; request++) {
    const call = { to: TARGET, data: `0x${request}${request}` }
    const echo = { [TARGET]: { code: '0x365f5f37365ff3' } }
    expect(await client.request('eth_call', [call, 'pending', echo])).toBe(call.data)
    expect(await client.request('eth_estimateGas', [{ to: TARGET }])).toBe('0x5208')
    expect(await client.request('eth_getBalance', [TARGET, 'latest'])).toBe('0x0')
  }
  // Two thirds of them run on the same threads: had each waited for a heavy one, ten were over.
  expect(ended).toBeLessThan(10)
  await included
  const outcomes = await Promise.all(heavy)
  end()
  expect(outcomes[0]).toBeInstanceOf(RpcRefused)
  expect(String(outcomes[0])).toContain('out of gas')
  expect(outcomes[1]).toMatchObject([{ calls: [{ status: '0x0' }] }])
  expect(flashblocks).toBeGreaterThan(5)
})

test('given a heavy call whose caller goes away, then what is called next has a thread', async () => {
  const caller = new AbortController()
  const call = { to: TARGET, gas: `0x${GAS.toString(16)}` }
  const params = [call, 'latest', { [TARGET]: { code: ENDLESS } }]
  const abandoned = httpRpcClient(rpc.url)
    .request('eth_call', params, caller.signal)
    .catch((error) => error)
  const client = httpRpcClient(rpc.url)
  await client.request('eth_estimateGas', [{ to: TARGET }])
  caller.abort(new Error('gone'))
  expect(await abandoned).toBeInstanceOf(Error)
  expect(await client.request('eth_estimateGas', [{ to: TARGET }])).toBe('0x5208')
})
