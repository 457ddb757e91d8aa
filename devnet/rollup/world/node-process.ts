import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import { CrashingFiles } from '#devnet/faults/crashing-files'
import type { FaultyDisk } from '#devnet/faults/faulty-disk'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import { createInlineWorkers } from '#devnet/l2/node/rpc/workers/call-workers'
import { executionRules } from '#protocol/derivation/execution-rules'
import { createExecutor } from '#protocol/execution/create-executor'
import { faultyStateDisk } from '../parts/node-part.ts'
import { nodeView } from '../parts/node-view.ts'
import { KeptFile } from './kept-file.ts'
import { rpcAnswerer } from './network/memory-rpc.ts'
import { serveRequests } from './network/request.ts'
import { recordChain } from './record-chain.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { WorldContext } from './world-context.ts'

export interface NodeProcessOptions {
  /** Who registered a builder code. */
  walletOf(code: string): `0x${string}` | undefined
}

/** The L2 node with its RPC, the derivation beside it, and the rollup RPC. */
export function nodeProcess(context: WorldContext, around: NodeProcessOptions): SimulatedPart {
  const { recorder, faults, options, workDir, rngOf } = context.ground
  const file = new KeptFile(join(workDir, 'l2.sqlite'), 'l2')
  const files = new CrashingFiles({
    ...{ path: file.path, beside: [file.progressPath], rng: rngOf('disk:state') },
    kill: () => life.kill(),
    write: writeHalfABlock,
  })
  const disk = faultyStateDisk(faults, {
    ...(options.keepsChain && { ...files.crashes, ...files.damages }),
  })

  function open(): KeptChain {
    const database = file.open()
    const kept = new KeptChain(database)
    files.opened(database.sql)
    // The power of this machine stays: what was written is there for the next life.
    database.sql.exec('PRAGMA synchronous = OFF')
    return kept
  }

  /** Ends a life: on disk is what it had written. */
  function close(kept: KeptChain): void {
    disk.attach(undefined)
    files.end(() => {
      kept.close()
      file.close()
    })
  }

  const life = new SimulatedPart({
    name: 'node',
    clock: context.clockOf('node'),
    recorder,
    faults,
    comesBack: options.keepsChain,
    workDir,
    start: (process) => {
      const kept = options.keepsChain ? open() : undefined
      if (kept) process.onEnd(() => close(kept))
      return startLife(context, { ...around, kept, disk }, process)
    },
  })
  return life
}

/** The commit that is torn: what it holds nobody ever sees. */
function writeHalfABlock(copy: DatabaseSync): void {
  copy.exec("INSERT INTO block VALUES (1 << 62, x'00', zeroblob(4096), 0)")
}

interface NodeLife extends NodeProcessOptions {
  kept: KeptChain | undefined
  disk: FaultyDisk
}

async function startLife(
  context: WorldContext,
  { walletOf, kept, disk }: NodeLife,
  process: SimulatedProcess,
): Promise<void> {
  const { genesis, options, recorder, logger, parts, lendEngine } = context.ground
  const { clock } = process
  const { config } = genesis
  const node = await parts.node.start(context.contextOf(parts.node, process), {
    ...{ genesis, flashblockTime: options.flashblockTime, kept, disk, logger },
    executor: await createExecutor(executionRules(config), lendEngine()),
  })
  const { chain } = node
  context.node = node
  context.nodeLife = process
  process.onEnd(() => {
    context.node = undefined
  })
  // What a killed node was about to write is no news of a disk.
  recordChain(chain, recorder, { hasEnded: () => process.state === 'ended' })
  const view = nodeView(node, config)
  const workers = await createInlineWorkers(chain, view.config, undefined, lendEngine())
  const { methods } = await parts.nodeRpc.start(context.contextOf(parts.nodeRpc, process), {
    ...{ ...view, workers, walletOf, lendEngine },
  })
  const complain = (error: unknown, method: string) =>
    recorder.record('node', 'internal.error', { method, why: String(error) })
  const served = dispatchOptions({ methods, clock, onInternalError: complain })
  serveRequests(context.ports.node, process, rpcAnswerer(served))
  parts.serveSubscribers(context.ports.subscriber, process, served)
  const rollup = parts.rollupRpc.start(context.contextOf(parts.rollupRpc, process), {
    ...{ chain, config },
  })
  context.methods = { node: methods, rollup }
  const answer = rpcAnswerer(dispatchOptions({ methods: rollup, clock, onInternalError: complain }))
  serveRequests(context.ports.rollup, process, answer)
  await parts.safeHead.start(context.contextOf(parts.safeHead, process), { node, config, logger })
}
