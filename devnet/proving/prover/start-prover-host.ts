import type { BaseLogger } from 'pino'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { AccessOptions } from '#devnet/base/json-rpc/guard-access'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OpenWork } from '#devnet/base/json-rpc/open-work'
import type { Profile } from '#devnet/base/options/devnet-description'
import { type OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import { Supervisor } from '#devnet/base/process/supervisor'
import { urlOf } from '#devnet/base/process/url-of'
import { enclavePart } from '#devnet/base/supervisor/enclave-part'
import { type Need, needParts } from '#devnet/base/supervisor/need-parts'
import { beaconClient } from '#devnet/l1/blobs/beacon-client'
import { KZG_CACHE, keptPoints } from '#devnet/l1/blobs/kept-points'
import { createKzg, type Kzg } from '#devnet/l1/blobs/kzg'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Chains } from '#protocol/proof/run-program'
import type { Address } from '#protocol/types/bytes'
import { checkUpstreams } from './check-upstreams.ts'
import { type EnclaveClient, enclaveClient } from './enclave-client.ts'
import { HostConfigInvalid } from './host-config-invalid.ts'
import { type HostMethodsOptions, hostMethods } from './host-methods.ts'
import { hostMetrics } from './host-metrics.ts'
import { serveMetrics } from './serve-metrics.ts'
import { startUpstreamHeartbeat } from './start-upstream-heartbeat.ts'

export interface ProverHostOptions {
  l1RpcUrl: string
  /** Read where batches are in blobs. */
  l1BeaconUrl: string
  l2RpcUrl: string
  chainId: number | bigint
  /** Known chains; the same table that is measured into the enclaves. */
  chains: Chains
  listen: { host: string; port: number }
  /** CID to endpoint (`unix:PATH:PORT` or `vsock:CID:PORT`), in the order of all answers. */
  endpoints: ReadonlyMap<number, string>
  /** TEEProverRegistry on L1: turns on routing by validity and gated health. */
  registryAddress?: Address | undefined
  /** Where the registry is asked. Default: `l1RpcUrl`. */
  registryRpcUrl?: string
  /** Seconds for one prover_prove. Default 1740 (HOST-CFG-11). */
  proofTimeout?: number
  /** Seconds that requests in flight get once the host stops (HOST-START-08). Default 5. */
  shutdownGrace?: number
  /** Serves Prometheus metrics on a listener of its own (HOST-CFG-13). Default: nowhere. */
  metricsListen?: { host: string; port: number } | undefined
  /** The L2 node has debug_executePayload (HOST-CFG-18, HOST-CFG-19). Default: not used. */
  executionWitness?: boolean
  /** Commits to blobs; whoever gave it stops it. Made here by default. */
  kzg?: Kzg
  /** Who may call beside this machine; default nobody. */
  access?: AccessOptions | undefined
  /** Knows whether the devnet around the host is well, and so its enclaves. Default: one of its own. */
  supervisor?: { parts: Supervisor; enclaves: readonly string[] } | undefined
  /** Hears of every request once it is over. */
  onProof?: HostMethodsOptions['onProof']
  /** Default `spec`. */
  profile?: Profile
  /** Hears of all that the host waits for. */
  work?: OpenWork
  /** Told by healthz. */
  version?: string
  clock: Clock
  logger: BaseLogger
}

export interface ProverHost extends OwnedResource {
  readonly url: string
  readonly metricsUrl: string | undefined
}

/**
 * Starts the prover host: JSON-RPC and GET /healthz on one listener (HOST-RPC-01). Enclaves may come
 * up later than their host (OPEN-75…77).
 * @throws HostConfigInvalid before anything is opened; PORT_BUSY, LISTEN_FAILED
 */
export async function startProverHost(options: ProverHostOptions): Promise<ProverHost> {
  const { clock, logger, listen, proofTimeout = 1740, shutdownGrace = 5 } = options
  const chainId = BigInt(options.chainId)
  const chain = checkConfig(options, chainId)
  const { work } = options
  const reach = (url: string) => work?.client(url) ?? httpRpcClient(url)
  const l1 = reach(options.l1RpcUrl)
  const registryL1 = reach(options.registryRpcUrl ?? options.l1RpcUrl)
  const l2 = reach(options.l2RpcUrl)
  await checkUpstreams({ l1, l2, chain, clock, logger })

  const metrics = hostMetrics()
  const resources = new ResourceStack()
  const supervisor = options.supervisor?.parts ?? new Supervisor({ clock, logger })
  // No thread is started before the first blob.
  const kzg = options.kzg ?? resources.add(createKzg(keptPoints(KZG_CACHE)))
  const methods = hostMethods({
    l1,
    l2,
    registryL1,
    beacon: beaconClient(options.l1BeaconUrl),
    registryAddress: options.registryAddress,
    kzg,
    chainId,
    chains: options.chains,
    enclaves: [...options.endpoints].map(([cid, endpoint]) =>
      counted(
        client({
          ...{ cid, endpoint, clock, supervisor: options.supervisor ? undefined : supervisor },
          hasSchedule: options.chains.get(chainId)?.journal !== undefined,
        }),
        work,
      ),
    ),
    proofTimeout,
    executionWitness: options.executionWitness ?? false,
    profile: options.profile ?? 'spec',
    version: options.version ?? '0.0.0',
    metrics,
    onProof: options.onProof,
    health: () => supervisor.health(),
    clock,
    logger,
  })

  try {
    const { metricsListen } = options
    const scraped =
      metricsListen &&
      (await serveMetrics(metrics.registry, metricsListen, 'prover host', options.access))
    if (scraped) resources.add(scraped)
    const server = createJsonRpcServer({
      methods: options.supervisor
        ? needParts(methods, needs(options.supervisor.enclaves), options.supervisor.parts)
        : methods,
      clock,
      service: 'prover host',
      access: options.access,
      getProxies: { '/healthz': 'healthz' },
      closeGrace: shutdownGrace * 1000,
      onInternalError: (error, method) => logger.error({ err: error, method }, 'internal error'),
    })
    const port = await server.listen(listen)
    resources.defer(() => server.close())
    if (!options.supervisor)
      resources.add(startUpstreamHeartbeat({ supervisor, upstreams: { L1: l1, L2: l2 }, clock }))
    const url = urlOf(listen.host, port)
    logger.info({ url, chainId: chainId.toString(), proofTimeout }, 'prover host listens')
    return { url, metricsUrl: scraped?.url, stop: () => resources.stop() }
  } catch (error) {
    await resources.stop()
    throw error
  }
}

function needs(enclaves: readonly string[]): Need[] {
  return [
    { methods: /^prover_prove$/, allOf: ['L1'], anyOf: enclaves },
    // All or nothing (HOST-RPC-04).
    { methods: /^enclave_/, allOf: enclaves },
  ]
}

/** @param supervisor told by requests whether the enclave is there: it is never dialled for that. */
function client(options: {
  cid: number
  endpoint: string
  clock: Clock
  supervisor: Supervisor | undefined
  hasSchedule: boolean
}): EnclaveClient {
  const { cid, clock, supervisor, hasSchedule } = options
  const endpoint = parseEndpoint(options.endpoint)
  const tell = (problem?: string) => supervisor?.warn(enclavePart(cid), problem)
  return enclaveClient({
    ...{ cid, clock, hasSchedule },
    async connect() {
      try {
        // The client has the timer that words the failure; this one only ends what it gave up on.
        const connection = await connect(endpoint, { clock, timeout: 10_000 })
        tell()
        return connection
      } catch (error) {
        tell(`it takes no connection: ${(error as Error).message}`)
        throw error
      }
    },
  })
}

/** Its answers are waited for before time is moved. */
function counted(enclave: EnclaveClient, work: OpenWork | undefined): EnclaveClient {
  if (!work) return enclave
  const asking = {}
  const proving = {}
  return {
    cid: enclave.cid,
    signerPublicKey: () => work.during(enclave.signerPublicKey(), asking),
    signerAttestation: (request) => work.during(enclave.signerAttestation(request), asking),
    prove: (preimages, signal) => work.during(enclave.prove(preimages, signal), proving),
  }
}

/** @returns the configured chain */
function checkConfig(options: ProverHostOptions, chainId: bigint): RollupConfig {
  const { chains, endpoints, registryAddress, proofTimeout = 1740, shutdownGrace = 5 } = options
  for (const name of ['l1RpcUrl', 'l1BeaconUrl', 'l2RpcUrl'] as const) {
    if (!/^https?:$/.test(URL.parse(options[name])?.protocol ?? ''))
      throw new HostConfigInvalid(`${name} is no http URL.`)
  }
  const chain = chains.get(chainId)
  if (!chain) {
    const known = [...chains.keys()].join(', ')
    throw new HostConfigInvalid(`L2 chain ${chainId} is unknown; known are: ${known}.`)
  }
  if (endpoints.size === 0) throw new HostConfigInvalid('At least one enclave CID is required.')
  if (endpoints.size > 1 && !registryAddress)
    throw new HostConfigInvalid(`${endpoints.size} enclave CIDs require a registry address.`)
  if (!(proofTimeout > 0)) throw new HostConfigInvalid('The proof timeout must be above 0 seconds.')
  if (!(shutdownGrace >= 0)) throw new HostConfigInvalid('The shutdown grace must be 0 s or more.')
  return chain
}
