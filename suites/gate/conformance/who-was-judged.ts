import type { SeenAnswers } from './seen/seen-answers.ts'
import { decodeCoseDocument } from './spec/cose-document.ts'
import { keccak256 } from './spec/hash.ts'
import type { JsonRpcClient } from './wire/json-rpc-client.ts'

/** Longer than any node's name for itself. */
const MOST_CHARACTERS = 200

/** What a node says that it is; undefined where it does not say. No case judges that. */
export async function clientVersion(rpc: JsonRpcClient): Promise<string | undefined> {
  const { result } = (await rpc.call('web3_clientVersion', []).catch(() => undefined))?.body ?? {}
  return typeof result === 'string' && result ? result.slice(0, MOST_CHARACTERS) : undefined
}

/** The images of the enclaves whose documents a run has seen, each once, in the order of the first. */
export function imageHashesIn(seenProver: SeenAnswers): string[] {
  const documents = seenProver
    .to('enclave_signerAttestation')
    .flatMap(({ result }) => (Array.isArray(result) ? (result as unknown[]) : []))
  return [...new Set(documents.flatMap(imageHashOf))]
}

/** The hash of PCR0 (JRN-17); nothing of what is no document, which cases tell. */
function imageHashOf(document: unknown): string[] {
  try {
    const { payload } = decodeCoseDocument(Uint8Array.from(document as number[]), 'document')
    const pcr0 = payload.pcrs.get(0)
    return pcr0 ? [keccak256(pcr0)] : []
  } catch {
    return []
  }
}
