import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import type { OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import type { CodeRegistry } from '#devnet/builder-codes/code-registry'
import { openRegistryAt } from '#devnet/builder-codes/open-registry-at'
import { listenForCodes } from '#devnet/builder-codes/start-builder-code-api'
import { silentBatcher } from '#devnet/faults/effects-by-links'
import { beaconClient } from '#devnet/l1/blobs/beacon-client'
import { blobSource } from '#devnet/l1/blobs/blob-source'
import type { Batcher } from '#devnet/l2/batcher/start-batcher'
import { type RunningNodeRpc, startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import { RequestLog } from '#devnet/l2/node/rpc/watching/request-log'
import { SubscriptionList } from '#devnet/l2/node/rpc/watching/subscription-list'
import { startRollupRpc } from '#devnet/l2/rollup-rpc/start-rollup-rpc'
import { compressChannelAside } from '#protocol/derivation/channel-compression'
import { seededRng } from '#protocol/random/rng'
import { apiPart, openFaultyCodes } from '../parts/api-part.ts'
import { batcherPart } from '../parts/batcher-part.ts'
import { nodeView } from '../parts/node-view.ts'
import { rollupRpcPart } from '../parts/rollup-rpc-part.ts'
import { safeHeadPart } from '../parts/safe-head-part.ts'
import type { DevnetBase, KeptDevnet } from './start-base.ts'
import { type StartedProving, startProving } from './start-proving.ts'

/** What a devnet serves, and who moves its heads. */
export interface DevnetServices {
  rpc: RunningNodeRpc & { directUrl: string }
  /** The same chain without pre-confirmations, where one was asked for. */
  plainRpc: RunningNodeRpc | undefined
  proving: StartedProving
  builderCodes: { url: string }
  rollupRpc: { url: string }
  batcher: Batcher
}

/** Milliseconds that a call may run which reads another chain: each value may be a round trip away. */
const FORK_CALL_LIMIT = 60_000

/**
 * The second step of a devnet: the node's RPC, and then all at once what needs no more than that.
 *
 * @throws RollbedError PORT_BUSY, ISOLATION_UNAVAILABLE, …; `resources` owns what was started
 */
export async function startServices(
  settings: DevnetSettings & KeptDevnet,
  base: DevnetBase,
  logger: Logger,
  resources: ResourceStack,
  description: () => DevnetDescription | undefined,
): Promise<DevnetServices> {
  const { clock, machine, work, host, ports, access } = settings
  const { supervisor } = base
  const { lines } = base.faults
  const health = () => supervisor.health()
  const rng = seededRng(settings.seed)
  const { engine } = base.faults
  const { path: ownFile, open } = settings.kept?.builderCodes ?? {
    // What ends with the devnet need not wait for a disk, unless the disk may be at fault.
    path: engine ? join(base.workDir, 'builder-codes.sqlite') : ':memory:',
    open: undefined,
  }
  // What stands elsewhere has a disk of its own.
  const faulty =
    engine && !settings.builderCodeDb
      ? openFaultyCodes(engine, {
          ...{
            path: ownFile,
            open,
            rng,
            diskRng: seededRng(`${settings.seed}:disk:api`),
            clock: machine,
          },
          kill: async () => void (await engine.inject('process:api', 'kill')),
        })
      : undefined
  const registry =
    faulty ?? (await openRegistryAt(settings.builderCodeDb ?? open?.() ?? ownFile, rng))
  resources.defer(() => registry.close())
  const { rpc, plainRpc } = await startRpc(settings, base, registry, logger, resources, description)
  const { node, links } = base
  const { chain } = node
  const { config } = base.genesis
  // Before anything is begun: what fails while these wait would have nobody to hear of it.
  const batcherLinks = await links.of(batcherPart)
  const safeHeadLinks = await links.of(safeHeadPart)
  const rollupLinks = await links.of(rollupRpcPart)
  const blobs = blobSource(beaconClient(await links.url('safe-head-l1')), base.kzg)
  const own = async <T extends OwnedResource>(start: Promise<T>): Promise<T> =>
    resources.add(await start)

  const proving = startProving(
    {
      ...{ genesis: base.genesis, l1: base.l1, kzg: base.kzg, contracts: base.contracts },
      ...{ links, faults: base.faults },
      enclaves: base.enclaves,
      ...{ host, port: ports.prover, access },
      supervisor,
      deployedImage: settings.kept?.begun?.imageHash,
      profile: settings.profile,
      work,
      logger,
    },
    resources,
  )
  // A look at each L1 block is enough while time is moved.
  const looks = clock.forLooks(() => settings.l1BlockTime * 1000)
  const context = { clock, looks, l1News: base.l1.onBlock }
  const builderCodes = own(
    lines.serve({
      link: 'link:client-api',
      process: 'process:api',
      ...{ host, port: ports.api, service: 'builder-code API' },
      start(port) {
        const onWaits = (reason: Error | undefined) =>
          supervisor.wait(
            'builder codes',
            reason && `A registration could not be stored: ${reason.message}.`,
          )
        const api = apiPart.start(
          { ...context, links: {} },
          { registry, logger, access, health, onWaits },
        )
        return listenForCodes(api, { host, port })
      },
    }),
  )
  engine?.register('chain:l2', silentBatcher(engine))
  const batcher = own(
    batcherPart.start(
      { ...context, links: batcherLinks },
      {
        ...{ chain, config, interval: settings.batchInterval, logger },
        compress: (...channel) =>
          work.during(compressChannelAside(...channel), compressChannelAside),
        kzg: settings.dataAvailability === 'blobs' ? base.kzg : undefined,
      },
    ),
  )
  const safeHead = own(
    safeHeadPart.start({ ...context, links: safeHeadLinks }, { node, config, blobs, logger }),
  )
  const rollupRpc = own(
    lines.serve({
      link: 'link:actor-rollup',
      ...{ host, port: ports.rollupRpc, service: 'rollup RPC' },
      start: (port) =>
        startRollupRpc({
          methods: rollupRpcPart.start({ ...context, links: rollupLinks }, { chain, config }),
          listen: { host, port },
          access,
          supervisor,
          clock,
        }),
    }),
  )
  // Together: when one of them fails, nobody is left waiting for another.
  await Promise.all([proving, builderCodes, batcher, safeHead, rollupRpc])
  const { proverUrl } = await proving
  links.front('actor-host', proverUrl)
  links.front('actor-rollup', (await rollupRpc).url)
  return {
    rpc,
    plainRpc,
    proving: await proving,
    builderCodes: await builderCodes,
    rollupRpc: await rollupRpc,
    batcher: await batcher,
  }
}

async function startRpc(
  settings: DevnetSettings & KeptDevnet,
  { supervisor, node, genesis, faults, links }: DevnetBase,
  registry: CodeRegistry,
  logger: Logger,
  resources: ResourceStack,
  description: () => DevnetDescription | undefined,
): Promise<Pick<DevnetServices, 'rpc' | 'plainRpc'>> {
  const { clock, machine, host, ports, access, profile } = settings
  const view = {
    ...nodeView(node, genesis.config, {
      ...{ time: clock, faults: faults.engine, description },
      health: () => supervisor.health(),
      requests: new RequestLog(),
      subscriptions: new SubscriptionList(),
    }),
    walletOf: (code: string) => registry.walletOf(code),
    ...{ clock, machine, host, access, supervisor, profile, logger },
    logsRange: settings.logsRange,
    // Whoever makes each block by hand is a test, and mostly over before a thread is loaded.
    warmsUp: !settings.manual,
    ...(settings.remote && { fork: settings.remote, callTimeLimit: FORK_CALL_LIMIT }),
  }
  const rpc = resources.add(
    await faults.lines.serve({
      link: 'link:client-l2',
      socketLink: 'link:subscriber',
      ...{ host, port: ports.rpc, service: 'L2 node' },
      start: (port) => startNodeRpc({ ...view, branches: node.branches, port }),
    }),
  )
  links.lead('node', rpc.directUrl)
  links.front('client-l2', rpc.url)
  faults.engine?.register('worker:calls', {
    stop: () => rpc.callThreads.hang(),
    kill() {
      rpc.callThreads.kill()
      return undefined
    },
  })
  if (!settings.plainRpc) return { rpc, plainRpc: undefined }
  const plain = { ...view, port: ports.plainRpc, preconfirmations: false }
  return { rpc, plainRpc: resources.add(await startNodeRpc(plain)) }
}
