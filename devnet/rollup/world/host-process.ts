import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { BeaconClient } from '#devnet/l1/blobs/beacon-client'
import { createKzg } from '#devnet/l1/blobs/kzg'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import { hostMetrics } from '#devnet/proving/prover/host-metrics'
import { sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { EnclavePlace } from './enclave-processes.ts'
import { rpcAnswerer } from './network/memory-rpc.ts'
import { connectStream } from './network/memory-stream.ts'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { SimulatedProcess } from './simulated-process.ts'
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
      const links = { ...on.links, 'host-registry': registry(process) }
      const methods = parts.host.start(
        { ...on, links },
        {
          config: genesis.config,
          contracts,
          beacon: noBlobs,
          kzg: createKzg(),
          enclaves: enclaves.map(({ cid, port }) => {
            const link = context.link(`host-enclave.${cid}`)
            const connect = async () => connectStream({ caller: process, link, port })
            return enclaveClient({ cid, clock, connect })
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
function faultyRegistry(context: WorldContext): (process: SimulatedProcess) => RpcClient {
  const { faults, l1, clock } = context.ground
  const now = { silent: 0, lying: 0, slow: 0 }
  const spoken = new Set<() => void>()
  faults.register(
    'registry:l1',
    (fault, parameters) => {
      if (fault === 'reorged') {
        const depth = Math.min(32, Number(l1.latest().header.number) - 2)
        void l1.reorg({ depth, keep: false })
        return undefined
      }
      const by = fault === 'slow' ? (parameters.delay as number) : 1
      const member = fault as keyof typeof now
      now[member] += by
      return () => {
        now[member] -= by
        if (now.silent === 0) for (const speak of spoken) speak()
        spoken.clear()
      }
    },
    ['silent', 'lying', 'slow', 'reorged'],
  )
  return (process) => {
    const rpc = context.rpc(process, 'host-registry')
    return {
      async request(method, params, signal) {
        if (now.slow > 0) await sleep(clock, now.slow, signal)
        if (now.silent > 0) {
          await new Promise<void>((resolve, reject) => {
            spoken.add(resolve)
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
          })
        }
        const answer = await rpc.request(method, params, signal)
        return now.lying > 0 && method === 'eth_call' ? `0x${'00'.repeat(32)}` : answer
      },
    }
  }
}
