import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { BringAbout } from '#devnet/faults/fault-engine'
import { DISK_FAULTS, FaultyDisk } from '#devnet/faults/faulty-disk'
import { tearLastWrite } from '#devnet/faults/tear-last-write'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import { DevAccounts } from '#devnet/l2/node/rpc/cheats/dev-accounts'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { type Node, startNode } from '#devnet/l2/node/start-node'
import { rollupMethods } from '#devnet/l2/rollup-rpc/rollup-methods'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Block } from '#protocol/types/block'
import { rpcAnswerer } from './network/memory-rpc.ts'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { WorldContext } from './world-context.ts'

export interface NodePartOptions {
  /** Who registered a builder code. */
  walletOf(code: string): `0x${string}` | undefined
}

/** The L2 node with its RPC, the derivation beside it, and the rollup RPC. */
export function nodePart(context: WorldContext, part: NodePartOptions): SimulatedPart {
  const { recorder, faults, options, workDir } = context.ground
  const disk = new FaultyDisk()
  const path = join(workDir, 'l2.sqlite')
  let isToTear = false

  /** Ends a life: on disk is what it had written. */
  function close(kept: KeptChain | undefined): void {
    disk.attach(undefined)
    if (isToTear) tearLastWrite(path, () => kept?.close(), writeHalfABlock)
    else kept?.close()
    isToTear = false
  }

  const life = new SimulatedPart({
    name: 'node',
    clock: context.clockOf('node'),
    recorder,
    faults,
    // A node that lost its chain cannot come back.
    kinds: options.keepsChain ? ['kill', 'stop', 'restart', 'slow_start'] : ['stop'],
    start: (process) => {
      const kept = options.keepsChain ? new KeptChain(new KeptDatabase(path)) : undefined
      process.onEnd(() => close(kept))
      return startLife(context, { ...part, kept, disk }, process)
    },
  })
  const bringAbout: BringAbout = (fault, parameters) => {
    if (fault !== 'torn_write') return disk.bringAbout(fault, parameters)
    isToTear = true
    life.kill()
    return undefined
  }
  const kinds = options.keepsChain ? [...DISK_FAULTS, 'torn_write' as const] : DISK_FAULTS
  faults.register('disk:state', bringAbout, kinds)
  return life
}

/** The commit that is torn: what it holds nobody ever sees. */
function writeHalfABlock(copy: DatabaseSync): void {
  copy.exec("INSERT INTO block VALUES (1 << 62, x'00', zeroblob(4096), 0)")
}

interface NodeLife extends NodePartOptions {
  kept: KeptChain | undefined
  disk: FaultyDisk
}

async function startLife(
  context: WorldContext,
  { walletOf, kept, disk }: NodeLife,
  process: SimulatedProcess,
): Promise<void> {
  const { genesis, options, recorder, logger, parts } = context.ground
  const { clock } = process
  const { config } = genesis
  const l1RpcUrl = context.rpc(process, 'node-l1', 'l1')
  const node = await startNode({
    config,
    genesis: genesis.block,
    store: genesis.store,
    l1RpcUrl,
    clock,
    l1Clock: context.looks(clock),
    flashblockTime: options.flashblockTime,
    kept,
    disk,
    logger,
  })
  const { chain } = node
  context.node = node
  context.nodeLife = process
  process.onEnd(() => {
    context.node = undefined
  })
  recordChain(node, recorder, process)
  const execution = { chainId: BigInt(config.l2ChainId), fork: config.fork }
  const runners = await createInlineRunners(chain, execution)
  const methods = parts.nodeMethods({
    ...{ chain, config: execution, ...runners, clock, walletOf },
    blockTime: config.blockTime,
    cheats: { control: node.cheats, accounts: new DevAccounts(userKeys) },
  })
  const complain = (error: unknown, method: string) =>
    recorder.record('node', 'internal.error', { method, why: String(error) })
  const served = dispatchOptions({ methods, clock, onInternalError: complain })
  serveRequests(context.ports.node, process, rpcAnswerer(served))
  parts.serveSubscribers(context.ports.subscriber, process, served)
  const rollup = rollupMethods({ chain, config, l1: l1RpcUrl })
  context.methods = { node: methods, rollup }
  const answer = rpcAnswerer(dispatchOptions({ methods: rollup, clock, onInternalError: complain }))
  serveRequests(context.ports.rollup, process, answer)
  await parts.startSafeHead({
    chain,
    l1RpcUrl: context.rpc(process, 'safe-head-l1', 'l1'),
    config,
    clock: context.looks(clock),
    adopt: (parent, attributes) => node.adopt(parent, attributes),
    onSafe: (block) => chain.markSafe(block),
    onRewind: (block) => chain.unmarkSafe(block),
    onFinalized: (block) => chain.markFinalized(block),
    logger,
  })
}

function recordChain({ chain }: Node, recorder: EventRecorder, process: SimulatedProcess): void {
  const record = (what: string, data: Record<string, unknown>) =>
    recorder.record('node', what, data)
  const head = ({ hash, header }: Block) => ({ number: Number(header.number), hash })
  chain.on('sealed', (block) =>
    record('sealed', {
      ...head(block),
      parent: block.header.parentHash,
      transactions: block.transactions.map(({ hash }) => hash),
    }),
  )
  chain.on('flashblock', ({ header, flashblockIndex, transactions, firstNewTransaction }) => {
    const added = transactions.slice(firstNewTransaction).map(({ hash }) => hash)
    // Ten in a block, most of them empty: only what pre-confirms something is told.
    if (added.length === 0) return
    record('flashblock', { number: Number(header.number), index: flashblockIndex, added })
  })
  chain.on('dropped', ({ header, transactions }) =>
    record('dropped', {
      number: Number(header.number),
      transactions: transactions.map(({ hash }) => hash),
    }),
  )
  chain.on('reorg', ({ removed }) => record('reorg', { removed: removed.map(({ hash }) => hash) }))
  chain.on('safe', (block) => record('safe', head(block)))
  chain.on('finalized', (block) => record('finalized', head(block)))
  chain.on('pooled', ({ hash, from }) => record('pooled', { hash, from }))
  chain.on('discarded', ({ transaction, reason }) =>
    record('discarded', { hash: transaction.hash, code: reason.code }),
  )
  chain.on('waits', (reason) => {
    // What a killed node was about to write is no news of a disk.
    if (process.state === 'ended') return
    if (reason) record('waits', { why: reason.message })
    else record('goes.on', {})
  })
}
