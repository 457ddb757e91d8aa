import { type Clock, withTimeout } from '#protocol/clock/clock'
import type { SeenAnswers } from './seen/seen-answers.ts'
import { decodeCoseDocument } from './spec/cose-document.ts'
import { keccak256 } from './spec/hash.ts'
import type { JsonRpcClient } from './wire/json-rpc-client.ts'

/** Longer than any node's name for itself. */
const MOST_CHARACTERS = 200
/** Milliseconds. */
const PATIENCE = 20_000

/** What a node says that it is; undefined where it does not say. No case judges that. */
export async function clientVersion(rpc: JsonRpcClient, clock: Clock): Promise<string | undefined> {
  const asked = rpc.call('web3_clientVersion', [])
  const late = () => new Error('late')
  const reply = await withTimeout(clock, PATIENCE, asked, late).catch(() => undefined)
  const { result } = reply?.body ?? {}
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
