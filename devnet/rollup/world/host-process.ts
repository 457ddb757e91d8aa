import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import type { BeaconClient } from '#devnet/l1/blobs/beacon-client'
import { createKzg } from '#devnet/l1/blobs/kzg'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import { hostMetrics } from '#devnet/proving/prover/host-metrics'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { takeRegistryFaults } from '../parts/host-part.ts'
import type { EnclavePlace } from './enclave-processes.ts'
import { rpcAnswerer } from './network/memory-rpc.ts'
import { connectStream } from './network/memory-stream.ts'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { WorldContext } from './world-context.ts'

/** Seconds for one proof, as on deployed hosts. */
const PROOF_TIMEOUT = 1740

/** The prover host, and the registry that it asks. */
export function hostProcess(
  context: WorldContext,
  enclaves: readonly EnclavePlace[],
): SimulatedPart {
  const { ground } = context
  const { recorder, faults, genesis, contracts, logger, parts } = ground
  const registry = faultyRegistry(context)
  return new SimulatedPart({
    name: parts.host.name,
    clock: context.clockOf('host'),
    recorder,
    faults,
    async start(process) {
      const { clock } = process
      const on = context.contextOf(parts.host, process)
      const links = {
        ...on.links,
        'host-registry': registry(rpcClientOf(on.links['host-registry'])),
      }
      const methods = parts.host.start(
        { ...on, links },
        {
          config: genesis.config,
          contracts,
          beacon: noBlobs,
          kzg: createKzg(),
          enclaves: enclaves.map(({ cid, hostLink, port }) => {
            const link = context.link(hostLink)
            const connect = async () => connectStream({ caller: process, link, port })
            const hasSchedule = genesis.config.journal !== undefined
            return enclaveClient({ cid, clock, connect, hasSchedule })
          }),
          proofTimeout: PROOF_TIMEOUT,
          profile: 'spec',
          metrics: hostMetrics(),
          logger,
        },
      )
      const complain = (error: unknown, method: string) =>
        recorder.record('host', 'internal.error', { method, why: String(error) })
      const answer = rpcAnswerer(dispatchOptions({ methods, clock, onInternalError: complain }))
      serveRequests(context.ports.host, process, answer)
    },
  })
}

/** Batches of a simulated world are in call data. */
const noBlobs: BeaconClient = {
  async blob(versionedHash) {
    throw new RollbedError('BLOB_UNAVAILABLE', `There is no blob ${versionedHash} in this world.`)
  },
}

/** How the host asks the registry on L1, with that registry's faults. */
function faultyRegistry(context: WorldContext): (rpc: RpcClient) => RpcClient {
  const { faults, l1 } = context.ground
  let lies = 0
  takeRegistryFaults(faults, {
    lying() {
      lies += 1
      return () => {
        lies -= 1
      }
    },
    reorged() {
      const depth = Math.min(32, Number(l1.latest().header.number) - 2)
      void l1.reorg({ depth, keep: false })
      return undefined
    },
  })
  return (rpc) => ({
    async request(method, params, signal) {
      const answer = await rpc.request(method, params, signal)
      return lies > 0 && method === 'eth_call' ? `0x${'00'.repeat(32)}` : answer
    },
  })
}
