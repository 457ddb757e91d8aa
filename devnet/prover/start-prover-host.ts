import type { BaseLogger } from 'pino'
import type { Clock } from '../../enclave-sim/clock/clock.ts'
import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'
import type { Address } from '../../enclave-sim/execution/types.ts'
import type { Chains } from '../../enclave-sim/proof/program.ts'
import { connect } from '../../enclave-sim/vsock/connect.ts'
import { parseEndpoint } from '../../enclave-sim/vsock/endpoint.ts'
import { createJsonRpcServer } from '../json-rpc/create-json-rpc-server.ts'
import { httpRpcClient } from '../json-rpc/http-rpc-client.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { buildWitness } from './build-witness.ts'
import { type EnclaveClient, enclaveClient } from './enclave-client.ts'
import { proverMethods } from './prover-methods.ts'
import { signerRegistry } from './signer-registry.ts'

export interface ProverHostOptions {
  l1RpcUrl: string
  /** Required by the spec; read once batches are posted as blobs. */
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
  /** Seconds for one prover_prove. Default 1740 (HOST-CFG-11). */
  proofTimeout?: number
  /** Told by healthz. */
  version?: string
  clock: Clock
  logger: BaseLogger
}

export interface ProverHost extends OwnedResource {
  readonly url: string
}

/**
 * Starts the prover host: JSON-RPC and GET /healthz on one listener (HOST-RPC-01). Enclaves may come
 * up later than their host (decisions 75-77).
 * @throws HostConfigInvalid before anything is opened; PortBusy
 */
export async function startProverHost(options: ProverHostOptions): Promise<ProverHost> {
  const { clock, logger, listen, chains } = options
  const chainId = BigInt(options.chainId)
  checkConfig(options, chainId)

  const l1 = httpRpcClient(options.l1RpcUrl)
  const l2 = httpRpcClient(options.l2RpcUrl)
  const address = options.registryAddress
  const methods = proverMethods({
    enclaves: [...options.endpoints].map(([cid, endpoint]) => client(cid, endpoint, clock)),
    registry: address && signerRegistry({ l1, address, clock }),
    buildWitness: (request, signal) =>
      buildWitness(request, {
        chainId,
        chains,
        l1,
        l2,
        signal,
        onProgress: (block) => logger.debug({ block: block.number.toString() }, 'block executed'),
      }),
    proofTimeout: options.proofTimeout ?? 1740,
    clock,
    logger,
    version: options.version ?? '0.0.0',
  })

  const server = createJsonRpcServer({ methods, clock, getProxies: { '/healthz': 'healthz' } })
  const port = await server.listen(listen)
  return { url: `http://${listen.host}:${port}`, stop: () => server.close() }
}

function client(cid: number, endpoint: string, clock: Clock): EnclaveClient {
  const parsed = parseEndpoint(endpoint)
  // The client has the timer that words the failure; this one only ends what it gave up on.
  return enclaveClient({ cid, clock, connect: () => connect(parsed, { clock, timeout: 10_000 }) })
}

function checkConfig(options: ProverHostOptions, chainId: bigint): void {
  const { chains, endpoints, registryAddress, proofTimeout = 1740 } = options
  for (const name of ['l1RpcUrl', 'l1BeaconUrl', 'l2RpcUrl'] as const) {
    if (!/^https?:$/.test(URL.parse(options[name])?.protocol ?? ''))
      throw new HostConfigInvalid(`${name} is no http URL.`)
  }
  if (!chains.has(chainId)) {
    const known = [...chains.keys()].join(', ')
    throw new HostConfigInvalid(`L2 chain ${chainId} is unknown; known are: ${known}.`)
  }
  if (endpoints.size === 0) throw new HostConfigInvalid('At least one enclave CID is required.')
  if (endpoints.size > 1 && !registryAddress)
    throw new HostConfigInvalid(`${endpoints.size} enclave CIDs require a registry address.`)
  if (!(proofTimeout > 0)) throw new HostConfigInvalid('The proof timeout must be above 0 seconds.')
}

/** The host cannot start with these inputs (HOST-CFG-*). */
export class HostConfigInvalid extends RollbedError {
  constructor(message: string) {
    super('HOST_CONFIG_INVALID', message)
  }
}
