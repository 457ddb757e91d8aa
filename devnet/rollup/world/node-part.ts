import { join } from 'node:path'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import { DevAccounts } from '#devnet/l2/node/rpc/cheats/accounts/dev-accounts'
import { createInlineRunners } from '#devnet/l2/node/rpc/create-inline-runners'
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
  const { recorder, faults, options } = context.ground
  return new SimulatedPart({
    name: 'node',
    clock: context.clockOf('node'),
    recorder,
    faults,
    // A node that lost its chain cannot come back.
    kinds: options.keepsChain ? ['kill', 'stop', 'restart', 'slow_start'] : ['stop'],
    start: (process) => startLife(context, part, process),
  })
}

async function startLife(
  context: WorldContext,
  { walletOf }: NodePartOptions,
  process: SimulatedProcess,
): Promise<void> {
  const { genesis, options, recorder, logger, parts, workDir } = context.ground
  const { clock } = process
  const { config } = genesis
  const l1RpcUrl = context.rpc(process, 'node-l1', 'l1')
  const kept = options.keepsChain
    ? new KeptChain(new KeptDatabase(join(workDir, 'l2.sqlite')))
    : undefined
  const node = await startNode({
    config,
    genesis: genesis.block,
    store: genesis.store,
    l1RpcUrl,
    clock,
    l1Clock: context.looks(clock),
    flashblockTime: options.flashblockTime,
    kept,
    logger,
  })
  const { chain } = node
  context.node = node
  context.nodeLife = process
  process.onEnd(() => {
    context.node = undefined
    kept?.close()
  })
  recordChain(node, recorder)
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

function recordChain({ chain }: Node, recorder: EventRecorder): void {
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
}
