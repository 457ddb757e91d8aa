import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import type { ResourceStack } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { enclavePart } from '#devnet/base/supervisor/enclave-part'
import type { BootedEnclave } from '#devnet/proving/enclaves/boot-enclave'

type Enclave = EnclaveDescription & BootedEnclave

/**
 * Launches an enclave, and another in its place whenever it dies: at the same endpoint, but with a new
 * key (ENC-START-05), which `onReplaced` has to make known. The description is kept true.
 */
export async function keepEnclave(options: {
  /** @param directory of the enclave before it, to be used again */
  launch(directory: string | undefined): Promise<Enclave>
  onReplaced(enclave: EnclaveDescription): Promise<void>
  supervisor: Supervisor
  resources: ResourceStack
}): Promise<EnclaveDescription> {
  const { launch, onReplaced, supervisor, resources } = options
  let current = await launch(undefined)
  let isStopped = false
  resources.defer(() => {
    isStopped = true
    return current.stop()
  })
  const description = descriptionOf(current)
  const restart = async () => {
    await current.stop()
    current = await launch(current.directory)
    // The devnet stopped meanwhile.
    if (isStopped) await current.stop()
    Object.assign(description, descriptionOf(current))
    await onReplaced(description)
    return current
  }
  supervisor.watch({ part: enclavePart(current.cid), running: current, restart })
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
