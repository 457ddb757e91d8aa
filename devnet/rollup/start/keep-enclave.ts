import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import type { ResourceStack } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { enclavePart as partName } from '#devnet/base/supervisor/enclave-part'
import { childFaults } from '#devnet/faults/child-faults'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { BootedEnclave } from '#devnet/proving/enclaves/boot-enclave'
import type { EnclavePart, RegisterSigners } from '../parts/enclave-part.ts'

type Enclave = EnclaveDescription & BootedEnclave

/**
 * Launches an enclave, and another in its place whenever it dies: at the same endpoint, but with a new
 * key, which `register` makes known; that of the first life the caller does. The description is kept true.
 */
export async function keepEnclave(options: {
  part: EnclavePart
  /**
   * @param directory of the enclave before it, to be used again
   * @param isOld by the image of the chain's first day
   */
  launch(directory: string | undefined, isOld: boolean): Promise<Enclave>
  /** Whether there is such an image that is another one. */
  hasOldImage: boolean
  register: RegisterSigners
  supervisor: Supervisor
  engine: FaultEngine | undefined
  /** Told of each life's key: whose signature counts is known by that. */
  recorder?: EventRecorder | undefined
  resources: ResourceStack
}): Promise<EnclaveDescription> {
  const { part, register, supervisor, engine, recorder, resources } = options
  let isOld = false
  const launch = async (directory: string | undefined): Promise<Enclave> => {
    const wanted = isOld
    const enclave = await options.launch(directory, wanted)
    const { signer, imageHash } = enclave
    recorder?.record(part.name, 'booted', { signer, imageHash })
    if (wanted === isOld) return enclave
    // The fault came, or went, while it booted.
    await enclave.stop()
    return launch(enclave.directory)
  }
  let current = await part.start({ boot: () => launch(undefined) })
  let isStopped = false
  resources.defer(() => {
    isStopped = true
    return current.stop()
  })
  const description = descriptionOf(current)
  let isBooting = false
  const boot = async () => {
    isBooting = true
    await current.stop()
    try {
      current = await launch(current.directory)
    } finally {
      isBooting = false
    }
    // The devnet stopped meanwhile.
    if (isStopped) await current.stop()
    return Object.assign(description, descriptionOf(current))
  }
  const name = partName(part.cid)
  const restart = async () => {
    await part.start({ boot, register })
    return current
  }
  supervisor.watch({ part: name, running: current, restart })
  const ofChild = childFaults(() => supervisor.pidOf(name))
  // Its supervisor starts it again.
  engine?.register(`process:${part.name}`, { ...ofChild, restart: ofChild.kill })
  const runImage = (old: boolean) => {
    isOld = old
    // Not as its supervisor knows it, which waits until its key is known, too.
    childFaults(() => (isBooting ? undefined : current.pid)).kill({})
  }
  if (options.hasOldImage) {
    engine?.register(`enclave:${part.cid}`, {
      old_image() {
        runImage(true)
        return () => runImage(false)
      },
    })
  }
  return description
}

function descriptionOf({
  cid,
  kind,
  endpoint,
  pcr0,
  imageHash,
  signer,
}: Enclave): EnclaveDescription {
  return { cid, kind, endpoint, pcr0, imageHash, signer }
}
