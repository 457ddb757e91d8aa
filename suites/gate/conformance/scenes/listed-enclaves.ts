import { type ScriptedEnclave, scriptedDocument } from '#mocks/index'
import type { RunningHost } from '../hosts/run-host.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { RESOURCE_UNAVAILABLE } from '../spec/resource-unavailable.ts'
import { errorIn, type RpcReply, resultOf } from '../wire/json-rpc-client.ts'

const [KEYS, DOCUMENTS] = ['enclave_signerPublicKey', 'enclave_signerAttestation'] as const
const USER_DATA = [1, 2, 3]

type Named = Pick<ScriptedEnclave, 'publicKey'>

/** Keys and documents of all enclaves of a host, asked for at one moment. */
export interface ListedEnclaves {
  when: string
  keys: RpcReply
  documents: RpcReply
}

/** Asks a host for the keys of its enclaves, then for documents with a nonce for each. */
export async function listEnclaves(
  { rpc }: Pick<RunningHost, 'rpc'>,
  enclaves: readonly Named[],
  when: string,
): Promise<ListedEnclaves> {
  const keys = await rpc.call(KEYS)
  const nonces = enclaves.map((_, index) => nonceOf(index))
  return { when, keys, documents: await rpc.call(DOCUMENTS, [USER_DATA, nonces]) }
}

/** Expects the enclaves in the order of the flags, whatever the host was doing. @throws CaseFailure */
export function expectInOrder(listed: ListedEnclaves, publicKeys: readonly Uint8Array[]): void {
  const { when, keys, documents } = listed
  const rightKeys = publicKeys.map((key) => [...key])
  if (!isRefusedAsBusy(keys)) expectEqual(resultOf(keys, KEYS), rightKeys, `keys, asked ${when}`)
  const rightDocuments = publicKeys.map((publicKey, index) => {
    const bound = { userData: Uint8Array.from(USER_DATA), nonce: Uint8Array.from(nonceOf(index)) }
    return [...scriptedDocument({ publicKey, ...bound })]
  })
  if (!isRefusedAsBusy(documents))
    expectEqual(resultOf(documents, DOCUMENTS), rightDocuments, `documents, asked for ${when}`)
}

const nonceOf = (index: number) => [index, 7]
const isRefusedAsBusy = (reply: RpcReply) => errorIn(reply).code === RESOURCE_UNAVAILABLE
