import type { DevnetDescription } from '../../devnet/index.ts'
import type { Targets } from '../conformance/index.ts'

/** The URLs of a devnet, as the gate takes them. */
export function targetsOf(devnet: DevnetDescription): Targets {
  const [enclave] = devnet.enclaves
  return {
    rpc: devnet.rpcUrl,
    ws: devnet.wsUrl,
    api: devnet.apiUrl,
    prover: devnet.proverUrl,
    l1: devnet.l1RpcUrl,
    ...(enclave && { enclave: enclave.endpoint }),
  }
}
