import { hexToBytes } from 'viem'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { callEnvironment } from '#devnet/l2/node/rpc/calls/call-environment'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import type { CallRunner } from '#devnet/l2/node/rpc/runners/call-runner'
import { createInlineCallRunner } from '#devnet/l2/node/rpc/runners/create-inline-call-runner'
import { createChainByHand } from '#devnet/l2/node/rpc/testing/chain-by-hand'
import { createWorkerCallRunner } from '#devnet/l2/node/rpc/workers/worker-call-runner'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { createExecutor } from '#protocol/execution/create-executor'
import { startReferenceAnvil } from '#suites/oracles/differential/reference-anvil'
import { balanceOf, tokenAlloc, transfers } from './erc20.ts'
import { type BenchResult, median, percentile, type Row, sideBySide } from './measurement.ts'

const TOKEN = `0x${'70'.repeat(20)}` as const
const CONFIG = { chainId: BigInt(l2ChainId), fork: 'isthmus' } as const
const OWNER = userKeys[0]!.address.toLowerCase() as `0x${string}`
const ROUNDS = 400
const signal = new AbortController().signal

/** balanceOf by eth_call: run in the node's thread, in a worker, and by anvil. */
export async function benchCallLatency(): Promise<BenchResult> {
  const resources = new ResourceStack()
  try {
    return await measure(resources)
  } finally {
    await resources.stop()
  }
}

async function measure(resources: ResourceStack): Promise<BenchResult> {
  const alloc = tokenAlloc(TOKEN)
  const chain = await createChainByHand(CONFIG, alloc)
  const inline = createInlineCallRunner({
    executor: await createExecutor(CONFIG),
    store: chain.store,
    blockHash: async () => undefined,
  })
  const worker = resources.add(
    createWorkerCallRunner({
      config: CONFIG,
      store: chain.store,
      blockHash: async () => undefined,
      clock: systemClock,
      threads: 1,
    }),
  )
  const call = (runner: CallRunner) => async () => {
    const { header } = chain.pending()!
    const data = hexToBytes(balanceOf(OWNER))
    const message = { from: OWNER, to: TOKEN, data, value: 0n, gas: 50_000_000n }
    const { status } = await runner.call(
      {
        stateRoot: header.stateRoot,
        environment: callEnvironment(header),
        message,
        stateOverrides: [],
      },
      signal,
    )
    if (status !== 1) throw new Error('The call failed.')
  }
  const warm = await sideBySide({ inline: call(inline), worker: call(worker) }, ROUNDS)
  const nonces = Array(10).fill(0)
  const change = async () => {
    const raws = transfers(TOKEN, nonces, 10)
    await chain.flashblock(...raws.map((raw) => hexToBytes(raw)))
  }
  const changed = await sideBySide(
    { change, inline: call(inline), changeAgain: change, worker: call(worker) },
    60,
  )
  const serve = async (runner: CallRunner) => {
    const methods = nodeMethods({
      ...{ chain, config: CONFIG, runner, tracer: worker, clock: systemClock },
    })
    const server = createJsonRpcServer({ methods, clock: systemClock })
    resources.defer(() => server.close())
    return `http://127.0.0.1:${await server.listen({ port: 0 })}`
  }
  const anvil = await startReferenceAnvil({
    chainId: l2ChainId,
    alloc,
    timestamp: 1_700_000_000n,
    coinbase: OWNER,
    baseFeePerGas: 1_000_000_000n,
  })
  resources.add(anvil)
  const params = [{ to: TOKEN, data: balanceOf(OWNER) }, 'latest']
  const post = (url: string) => {
    const client = httpRpcClient(url)
    return () => client.request('eth_call', params)
  }
  const http = await sideBySide(
    {
      inline: post(await serve(inline)),
      worker: post(await serve(worker)),
      anvil: () => anvil.request('eth_call', params),
    },
    ROUNDS,
  )
  return {
    title: 'eth_call of balanceOf',
    note: 'In process: the runner alone. After a change: the first call on a new flashblock of 10 transfers.',
    rows: [row('in process', warm), row('after a change', changed), row('over HTTP', http)],
  }
}

function row(what: string, times: { inline: number[]; worker: number[]; anvil?: number[] }): Row {
  const { inline, worker, anvil } = times
  return {
    what,
    values: {
      'inline ms': median(inline),
      'worker ms': median(worker),
      'worker p99 ms': percentile(worker, 0.99),
      'worker − inline ms': median(worker) - median(inline),
      ...(anvil && { 'anvil ms': median(anvil), 'worker ÷ anvil': median(worker) / median(anvil) }),
    },
  }
}
