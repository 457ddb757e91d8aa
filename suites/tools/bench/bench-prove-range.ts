import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { proofRequestJson } from '#devnet/proving/prover/proof-json'
import { startProverHost } from '#devnet/proving/prover/start-prover-host'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemClock as clock } from '#protocol/clock/system-clock'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import type { Schedule } from '#protocol/types/schedule'
import { jsonRpcEndpoint } from '#suites/prover/proving/json-rpc-endpoint'
import { testChain } from '#suites/prover/proving/test-chain'
import { type BenchResult, median, type Row, sideBySide } from './measurement.ts'
import { BENCH_CID, startBenchEnclave } from './start-bench-enclave.ts'

const BLOCKS = 300
const ROUNDS = 7
const BLOCKS_PER_L1_BLOCK = 2
const BLOCKS_PER_CHANNEL = 30
const BLOCKS_PER_TRANSFER = 10
const logger = pino({ level: 'silent' })

/** A range of near-empty blocks through the real host, and an enclave in its own process. */
export async function benchProveRange(): Promise<BenchResult> {
  const before = await measure(BLOCKS_PER_L1_BLOCK)
  const today = await measure(10 * BLOCKS_PER_L1_BLOCK, { azul: 'genesis', denim: 'genesis' })
  const { times, cpu, preimages } = before
  const bytes = preimages.reduce((sum, { value }) => sum + value.length, 0)
  const row = (what: string, values: Row['values']): Row => ({ what, values })
  const whole = median(today.times.whole)
  const program = median(today.cpu.program)
  return {
    title: `${BLOCKS} near-empty blocks proven: a transfer in every ${BLOCKS_PER_TRANSFER}th, ${BLOCKS / BLOCKS_PER_L1_BLOCK} L1 blocks`,
    note: "The program: the same witness in this process, without sockets.\nCPU: of this process, which also serves L2. Peak: of the enclave process.\nToday's chain: as many blocks of 200 ms, on a tenth of the L1 blocks.",
    rows: [
      row('witness by RPC', {
        ms: median(times.witness),
        'CPU ms': median(cpu.witness),
        values: preimages.length,
        kB: bytes / 1024,
      }),
      row('enclave', { ms: median(times.enclave), 'peak MB': before.peak }),
      row('prover_prove', { ms: median(times.whole) }),
      row('program', { ms: median(times.program), 'CPU ms': median(cpu.program) }),
      row("prover_prove, today's chain", { ms: whole, '÷ before': whole / median(times.whole) }),
      row("program, today's chain", {
        ms: median(today.times.program),
        'CPU ms': program,
        '÷ before': program / median(cpu.program),
      }),
    ],
  }
}

async function measure(blocksPerL1Block: number, upgrades?: Schedule) {
  const resources = new ResourceStack()
  try {
    return await timesOf(resources, blocksPerL1Block, upgrades)
  } finally {
    await resources.stop()
  }
}

/** What proving takes, on a chain of blocks of 2 s or of 200 ms. */
async function timesOf(resources: ResourceStack, blocksPerL1Block: number, upgrades?: Schedule) {
  const chain = resources.add(await nearEmptyChain(blocksPerL1Block, upgrades))
  const { chains, config } = chain
  const enclave = await startBenchEnclave(resources, [config])
  const l1 = resources.add(
    await jsonRpcEndpoint(chain.l1, ['eth_getBlockByHash', 'eth_getBlockReceipts']),
  )
  const l2 = resources.add(
    await jsonRpcEndpoint(chain.l2, ['debug_getRawHeader', 'debug_getRawBlock', 'debug_dbGet']),
  )
  const host = resources.add(
    await startProverHost({
      l1RpcUrl: l1.url,
      l1BeaconUrl: l1.url,
      l2RpcUrl: l2.url,
      chainId: config.l2ChainId,
      chains,
      listen: { host: '127.0.0.1', port: 0 },
      endpoints: new Map([[BENCH_CID, enclave.endpoint]]),
      clock,
      logger,
    }),
  )
  const request = await chain.request(1, BLOCKS)
  const prover = httpRpcClient(host.url)
  const sources = { l1: httpRpcClient(l1.url), l2: httpRpcClient(l2.url) }
  const { signal } = new AbortController()
  let preimages: Preimage[] = []
  const cpu = { witness: [] as number[], program: [] as number[] }
  const times = await sideBySide(
    {
      async witness() {
        const options = { ...sources, chainId: BigInt(config.l2ChainId), chains }
        const used = cpuTime()
        preimages = await buildWitness(request, options)
        cpu.witness.push(used())
      },
      enclave: () => enclave.client.prove(preimages, signal),
      whole: () => prover.request('prover_prove', [proofRequestJson(request)]),
      async program() {
        const used = cpuTime()
        await runProgram(verifiedOracle(preimages), { chains })
        cpu.program.push(used())
      },
    },
    ROUNDS,
  )
  return { times, cpu, preimages, peak: peakMemory(enclave.pid) }
}

async function nearEmptyChain(blocksPerL1Block: number, upgrades?: Schedule) {
  const chain = await testChain(undefined, upgrades)
  const toL1 = { name: 'ping', to: userKeys[8]!.address, data: '0x' } as const
  for (let block = 1; block <= BLOCKS; block++) {
    await chain.build(block % BLOCKS_PER_TRANSFER === 0 ? [await chain.sign()] : [])
    if (block % blocksPerL1Block === 0) await chain.sendToL1([toL1])
    if (block % BLOCKS_PER_CHANNEL === 0) await chain.post()
  }
  return chain
}

/** Starts counting; the returned function tells the milliseconds of CPU this process used since. */
function cpuTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/** Of a process, in MB, as Linux tells it. */
function peakMemory(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}
