import type { Scene } from '../conformance-case.ts'
import { startHost } from '../hosts/run-host.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { withEnclaves } from './host-scenes.ts'

const REGISTRY = `0x${'7e'.repeat(20)}`
const COUNT = 3
const METHODS = ['enclave_signerPublicKey', 'enclave_signerAttestation'] as const
const LONG = Array(513).fill(7)
/** Parameters of signer_attestation that no enclave must hear of. */
const WRONG = [
  [null, [[1]]],
  [null, [[1], [2], [3], [4]]],
  [LONG, null],
  [null, [[1], [2], LONG]],
]

/** What a host before three enclaves said, each of which has a key of its own and takes anything. */
export interface ThreeEnclaves {
  publicKeys: Uint8Array[]
  keys: RpcReply
  toWrongParams: RpcReply[]
  /** Connections that these were worth to the enclaves. */
  connectionsForWrong: number
  /** Replies by method while the third answers with an error. */
  oneFails: ReadonlyMap<string, RpcReply>
  /** And when the second is gone instead. */
  oneUnreachable: ReadonlyMap<string, RpcReply>
}

export const threeEnclaves: Scene<ThreeEnclaves> = {
  name: 'three enclaves',
  kind: 'observation',
  build: (t) =>
    withEnclaves(t, COUNT, async (enclaves) => {
      const endpoints = enclaves.map((enclave) => enclave.endpoint)
      const host = await startHost(t, { enclaves: endpoints, registry: REGISTRY })
      const connections = () => enclaves.flatMap((enclave) => enclave.connections).length
      const askBoth = async () => {
        const replies = new Map<string, RpcReply>()
        for (const method of METHODS) replies.set(method, await host.rpc.call(method))
        return replies
      }
      const keys = await host.rpc.call('enclave_signerPublicKey')
      const before = connections()
      const toWrongParams: RpcReply[] = []
      for (const params of WRONG) {
        toWrongParams.push(await host.rpc.call('enclave_signerAttestation', params))
      }
      const connectionsForWrong = connections() - before
      const [, second, third] = enclaves
      third!.script.error = 'the security module is gone'
      const oneFails = await askBoth()
      delete third!.script.error
      await second!.stop()
      const oneUnreachable = await askBoth()
      host.interrupt()
      const publicKeys = enclaves.map((enclave) => enclave.publicKey)
      return { publicKeys, keys, toWrongParams, connectionsForWrong, oneFails, oneUnreachable }
    }),
}
