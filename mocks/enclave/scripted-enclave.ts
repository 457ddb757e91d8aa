import { hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeRequest, encodeResponse } from '#suites/gate/conformance/spec/enclave-payloads'
import { type ServedEnclave, serveEnclave } from './serve-enclave.ts'

type Hex = `0x${string}`

/** What a scripted enclave does with the next requests; change it at any time. */
export interface EnclaveScript {
  /** Message of the error that answers every request. */
  error?: string
  /** Answers Prove with an error of this message. */
  proveError?: string
  /** How many proposals it answers to Prove, all alike; 1 by default. */
  proposals?: number
  /** Called with each Prove request, and waited for. */
  onProve?: () => unknown
}

export interface ScriptedEnclave extends ServedEnclave {
  /** Address of its key in lower case. */
  signer: Hex
  /** Uncompressed, 65 bytes. */
  publicKey: Uint8Array
  script: EnclaveScript
  /** Payloads of the Prove requests so far. */
  proveRequests(): Uint8Array[]
  /** What it answers to Prove: told from others' by its key. */
  proof: { root: Hex; signature: Hex; l1Number: bigint; l2Number: bigint }
}

/** What a scripted enclave attests: its key, then what it was asked with, each behind its length; 255 for nothing. */
export function scriptedDocument({
  publicKey,
  userData,
  nonce,
}: {
  publicKey: Uint8Array
  userData: Uint8Array | null
  nonce: Uint8Array | null
}): Uint8Array {
  const bound = [userData, nonce].flatMap((given) => (given ? [given.length, ...given] : [255]))
  return Uint8Array.from([...publicKey, ...bound])
}

/**
 * An enclave with a key of its own that proves nothing and answers as its script says.
 *
 * @param chain whether its proposals name a schedule of upgrades, as they do on today's
 */
export async function startScriptedEnclave(
  privateKey: Hex,
  { namesSchedule = false }: { namesSchedule?: boolean } = {},
): Promise<ScriptedEnclave> {
  const account = privateKeyToAccount(privateKey)
  const publicKey = hexToBytes(account.publicKey)
  const root: Hex = privateKey
  const signature: Hex = `0x${privateKey.slice(2)}${privateKey.slice(2)}00`
  const proof = { root, signature, l1Number: 100n, l2Number: 12_345n }
  const script: EnclaveScript = {}
  const proposal = {
    outputRoot: root,
    signature,
    l1OriginHash: root,
    l1OriginNumber: proof.l1Number,
    l2BlockNumber: proof.l2Number,
    prevOutputRoot: root,
    configHash: root,
    ...(namesSchedule && { scheduleId: root }),
  }
  const served = await serveEnclave(async (payload) => {
    const request = decodeRequest(payload)
    if (script.error) return encodeResponse({ kind: 'Error', message: script.error })
    if (request.kind === 'SignerPublicKey') return encodeResponse({ kind: request.kind, publicKey })
    if (request.kind === 'SignerAttestation') {
      const { kind, userData, nonce } = request
      return encodeResponse({ kind, document: scriptedDocument({ publicKey, userData, nonce }) })
    }
    await script.onProve?.()
    if (script.proveError) return encodeResponse({ kind: 'Error', message: script.proveError })
    const proven = {
      aggregateProposal: proposal,
      proposals: Array.from({ length: script.proposals ?? 1 }, () => proposal),
    }
    const result = { kind: 'Tee' as const, ...proven }
    return encodeResponse({ kind: 'Prove', result })
  })
  const isProve = (payload: Uint8Array) => payload[0] === 0
  return Object.assign(served, {
    signer: account.address.toLowerCase() as Hex,
    publicKey,
    script,
    proof,
    proveRequests: () => served.requests.filter(isProve),
  })
}
