import { scriptedDocument } from '#mocks/index'
import type { Scene } from '../conformance-case.ts'
import { judgePatience, startHost } from '../hosts/run-host.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { withEnclaves } from './host-scenes.ts'
import { type ListedEnclaves, listEnclaves } from './listed-enclaves.ts'

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
  [null, [[1], LONG, [3]]],
  [LONG, [[1], [2], [3]]],
]

/** User data and nonces of requests for documents. */
const ASKED: readonly Asked[] = [
  { userData: [1, 2, 3], nonces: [[11], [12, 12], [13]] },
  { userData: null, nonces: [[21], [22], [23, 23]] },
  // Nonces may be equal, and are each enclave's own all the same.
  { userData: [5], nonces: [[31], [31], [31]] },
  { userData: [4], nonces: null },
  { userData: null, nonces: null },
]
/** So many of each are asked for at once. */
const AT_ONCE = 3
/** So often the keys are asked for one after the other, and then at once. */
const AGAIN = 8

interface Asked {
  userData: number[] | null
  nonces: number[][] | null
}

/** Documents that were asked for, and those that are right. */
export interface AskedDocuments {
  reply: RpcReply
  right: number[][]
}

/** What a host before three enclaves said, each of which has a key of its own and takes anything. */
export interface ThreeEnclaves {
  publicKeys: Uint8Array[]
  keys: RpcReply
  /** Keys and documents again and again, at once, and after an enclave had failed. */
  listed: ListedEnclaves[]
  /** Asked for one after the other, and at once. */
  documents: AskedDocuments[]
  documentsAtOnce: AskedDocuments[]
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
      const publicKeys = enclaves.map((enclave) => enclave.publicKey)
      const askFor = async ({ userData, nonces }: Asked): Promise<AskedDocuments> => {
        const bytes = (given: number[] | null | undefined) =>
          given ? Uint8Array.from(given) : null
        const right = publicKeys.map((publicKey, index) => {
          const bound = { userData: bytes(userData), nonce: bytes(nonces?.[index]) }
          return [...scriptedDocument({ publicKey, ...bound })]
        })
        return { reply: await host.rpc.call(METHODS[1], [userData, nonces]), right }
      }
      const documents: AskedDocuments[] = []
      for (const asked of ASKED) documents.push(await askFor(asked))
      const several = Array.from({ length: AT_ONCE }, (_, index) =>
        ASKED.map(({ userData, nonces }) => ({
          userData: userData && [...userData, index],
          nonces: nonces?.map((nonce) => [...nonce, index]) ?? null,
        })),
      )
      const list = (when: string) => listEnclaves(host, enclaves, when)
      const listed: ListedEnclaves[] = []
      for (let time = 2; time < 2 + AGAIN; time++) listed.push(await list(`the ${time}. time`))
      const listedAtOnce = Array.from({ length: AGAIN }, () => list('beside others'))
      const documentsAtOnce = await Promise.all(several.flat().map(askFor))
      listed.push(...(await Promise.all(listedAtOnce)))
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
      listed.push(await list('after the third had failed'))
      judgePatience(host, oneFails.values())
      await second!.stop()
      const oneUnreachable = await askBoth()
      host.interrupt()
      return {
        ...{
          publicKeys,
          keys,
          listed,
          documents,
          documentsAtOnce,
          toWrongParams,
          connectionsForWrong,
        },
        ...{ oneFails, oneUnreachable },
      }
    }),
}
