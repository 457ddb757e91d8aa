import { rmSync } from 'node:fs'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { Node } from '#devnet/l2/node/start-node'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import type { VirtualClock } from '#protocol/clock/virtual-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Rng } from '#protocol/random/rng'
import { actorProcesses } from './actor-processes.ts'
import { type ApiProcess, apiProcess } from './api-process.ts'
import { batcherProcess } from './batcher-process.ts'
import { connectSubscriber } from './connect-subscriber.ts'
import { type EnclavePlace, enclaveProcesses } from './enclave-processes.ts'
import { hostProcess } from './host-process.ts'
import type { SimulatedL1 } from './l1/simulated-l1.ts'
import { rpcAnswerer } from './network/memory-rpc.ts'
import { connectStream } from './network/memory-stream.ts'
import { type Route, request, serveRequests } from './network/request.ts'
import { nodeProcess } from './node-process.ts'
import type { SimulatedPart } from './simulated-part.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { untilIdle } from './until-idle.ts'
import type { ApiAnswer, World, WorldClients, WorldFacts } from './world.ts'
import { WorldContext } from './world-context.ts'
import { groundFacts, type WorldGround } from './world-ground.ts'

/** The simulated body of a world: see `startSimulatedWorld`. */
export class SimulatedWorld implements World {
  readonly kind = 'simulated'
  readonly #context: WorldContext
  readonly #client: SimulatedProcess
  readonly #enclaves: EnclavePlace[]
  readonly #api: ApiProcess
  readonly #parts: SimulatedPart[]
  readonly rng: Rng
  readonly clients: WorldClients
  #ready = 0
  #stopping: Promise<void> | undefined

  constructor(ground: WorldGround) {
    const context = new WorldContext(ground)
    this.#context = context
    this.rng = ground.rngOf('load')
    this.#client = new SimulatedProcess('client', ground.clock)
    this.#enclaves = enclaveProcesses(context)
    this.#api = apiProcess(context)
    const { part: api, walletOf } = this.#api
    this.#parts = [
      nodeProcess(context, { walletOf }),
      batcherProcess(context),
      api,
      ...this.#enclaves.map(({ part }) => part),
      ...(this.#enclaves.length > 0 ? [hostProcess(context, this.#enclaves)] : []),
      ...(ground.options.actors && this.#enclaves.length > 0 ? actorProcesses(context) : []),
    ]
    this.clients = worldClients(context, this.#client, this.#enclaves)
  }

  get clock(): VirtualClock {
    return this.#context.ground.clock
  }

  get recorder(): EventRecorder {
    return this.#context.ground.recorder
  }

  get faults(): FaultEngine {
    return this.#context.ground.faults
  }

  get facts(): WorldFacts {
    const enclaves = this.#enclaves.map((enclave) => enclave.describe())
    return { ...groundFacts(this.#context.ground), enclaves }
  }

  get rollupConfig(): RollupConfig {
    return this.#context.ground.genesis.config
  }

  /** L1 itself, for a look behind everything. */
  get l1(): SimulatedL1 {
    return this.#context.ground.l1
  }

  /** The node that lives now. */
  get node(): Node {
    return this.#context.node!
  }

  /** What the node, its rollup RPC and L1 can be asked, past all links. */
  get methods(): { node: RpcMethods; rollup: RpcMethods; l1: RpcMethods } {
    return { ...this.#context.methods, l1: this.#context.ground.l1Methods }
  }

  /** Brings everything up. To be called once. */
  async start(): Promise<void> {
    serveL1(this.#context)
    for (const part of this.#parts) {
      await part.start()
      await untilIdle()
    }
    this.#ready = this.clock.now()
  }

  now(): number {
    return this.clock.now() - this.#ready
  }

  async runUntil(time: number): Promise<void> {
    await untilIdle()
    await this.clock.advance(Math.max(0, time - this.now()))
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #stop(): Promise<void> {
    const { l1, l1Process, workDir, giveBackEngines } = this.#context.ground
    for (const part of [...this.#parts].reverse()) part.end()
    this.#client.kill()
    await untilIdle()
    l1Process.kill()
    await l1.stop()
    giveBackEngines()
    this.#api.stop()
    rmSync(workDir, { recursive: true, force: true })
  }
}

/** L1 behind its port, its events and its misfortunes. */
function serveL1(context: WorldContext): void {
  const { l1, l1Process, l1Methods, recorder, faults } = context.ground
  const answer = rpcAnswerer(dispatchOptions({ methods: l1Methods, clock: l1Process.clock }))
  serveRequests(context.ports.l1, l1Process, answer)
  l1.on('sealed', ({ hash, header, transactions }) =>
    recorder.record('l1', 'block', {
      number: Number(header.number),
      hash,
      parent: header.parentHash,
      timestamp: Number(header.timestamp),
      transactions: transactions.map((each) => each.hash),
    }),
  )
  l1.on('reorg', ({ removed }) =>
    recorder.record('l1', 'reorg', {
      depth: removed.length,
      removed: removed.map(({ hash }) => hash),
    }),
  )
  faults.register('process:l1', {
    kill: () => goAway(context),
    stop: () => standStill(l1Process),
    restart: () => goAway(context),
  })
  faults.register('chain:l1', l1.effects)
}

function standStill(process: SimulatedProcess): () => void {
  process.stop()
  return () => process.continue()
}

/** Milliseconds that an L1 node takes to start again. Its chain is on disk, and of others, too. */
const L1_RESTART = 1_000

/** All that was connected is cut, and for a while nobody answers. */
function goAway({ ground, links }: WorldContext): undefined {
  const { l1Process, clock } = ground
  const comeBack = [standStill(l1Process), ...links.toL1().map((link) => link.add('down'))]
  clock.after(L1_RESTART, () => {
    for (const end of comeBack) end?.()
  })
  return undefined
}

function worldClients(
  context: WorldContext,
  client: SimulatedProcess,
  enclaves: readonly EnclavePlace[],
): WorldClients {
  const { ports } = context
  const apiRoute: Route = { caller: client, link: context.link('client-api'), port: ports.api }
  const wsRoute: Route = {
    caller: client,
    link: context.link('subscriber'),
    port: ports.subscriber,
  }
  return {
    l1: context.rpc(client, 'client-l1'),
    l2: context.rpc(client, 'client-l2'),
    rollup: context.rpc(client, 'actor-rollup'),
    host: context.rpc(client, 'actor-host'),
    async api(asked, signal) {
      const text = await request(apiRoute, JSON.stringify(asked), signal)
      return JSON.parse(text) as ApiAnswer
    },
    subscriber: async (events) => connectSubscriber(wsRoute, events),
    enclave(cid) {
      const place = enclaves.find((each) => each.cid === cid)
      if (!place) throw new RollbedError('TARGET_UNKNOWN', `There is no enclave ${cid} here.`)
      const link = context.link(`client-enclave.${cid}`)
      const connect = async () => connectStream({ caller: client, link, port: place.port })
      return enclaveClient({ cid, clock: context.ground.clock, connect })
    },
  }
}
