import { toHex } from 'viem'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectError } from '../matchers/expect-error.ts'
import { anyBytes } from '../probes/any-bytes.ts'
import { expectDocuments } from '../scenes/enclave-identities.ts'
import { decodeCoseDocument, isSignedByLeaf } from '../spec/cose-document.ts'
import { attestationFrame, expectResponse, SIGNER_PUBLIC_KEY } from '../spec/enclave-messages.ts'
import type { EnclaveReply } from '../wire/enclave-client.ts'
import { type KnownQuestion, rpcQuestion } from './known-question.ts'

const METHOD = 'enclave_signerAttestation'
/** Bytes of user data, up to the limit (LIM-04). */
const LENGTHS = [1, 33, 64, 256, 512]
const TOO_LONG = 513
/** What the end after an answer may take: longer than any machine is busy; milliseconds. */
const CLOSES_WITHIN = 30_000

const bytesOf = (length: number) => Buffer.from(anyBytes(length).slice(2), 'hex')
const hex = (bytes: Uint8Array | null | undefined) => (bytes ? toHex(bytes) : '0x')

async function bound({ prover }: CaseContext): Promise<KnownQuestion[]> {
  const keys = await prover.call('enclave_signerPublicKey', [])
  const count = Array.isArray(keys.body.result) ? keys.body.result.length : 0
  return LENGTHS.map((length) => {
    const userData = bytesOf(length)
    const nonces = Array.from({ length: count }, (_, index) => [index, length % 256, 7])
    return rpcQuestion(prover, [METHOD, [[...userData], nonces]], (reply) => {
      const documents = expectDocuments(reply)
      const bindings = documents.map(({ payload }) => [hex(payload.user_data), hex(payload.nonce)])
      const asked = nonces.map((nonce) => [hex(userData), hex(Uint8Array.from(nonce))])
      expectEqual(bindings, asked, 'user_data and nonce of each document')
    })
  })
}

async function refused({ prover }: CaseContext): Promise<KnownQuestion[]> {
  const tooLong = [...bytesOf(TOO_LONG)]
  return [
    [tooLong, null],
    [null, []],
  ].map((params) =>
    rpcQuestion(prover, [METHOD, params], (reply) => expectError(reply, 'reply', -32602)),
  )
}

function question(
  { enclave }: CaseContext,
  frame: Uint8Array,
  judge: (bytes: Uint8Array) => void,
  variant: 1 | 2,
): KnownQuestion {
  return {
    async ask() {
      const reply = await enclave.send(frame, { closesWithin: CLOSES_WITHIN })
      const exchange = {
        ...{ transport: 'vsock' as const, at: 0, duration: 0, url: enclave.endpoint },
        ...{ request: hex(frame), response: reply.payloads.map(hex).join(' ') },
      }
      return { judge: () => judge(bytesIn(reply, variant)), exchange }
    },
  }
}

/** One response, and then the end (ENC-PROTO-03, -04). */
function bytesIn({ payloads, rest, closed }: EnclaveReply, variant: 1 | 2): Uint8Array {
  const came = { responses: payloads.length, bytesAfterThem: rest.length, closed }
  expectEqual(came, { responses: 1, bytesAfterThem: 0, closed: true }, 'what came')
  const response = expectResponse(payloads[0], 'response')
  const isOfKind = response.kind === 'bytes' && response.variant === variant
  expectThat(isOfKind, `bytes of kind ${variant}`, response, 'response')
  return response.bytes
}

async function keys(t: CaseContext): Promise<KnownQuestion[]> {
  let first: string | undefined
  return [
    question(
      t,
      SIGNER_PUBLIC_KEY,
      (bytes) => {
        expectEqual([bytes.length, bytes[0]], [65, 4], 'length and first byte of the key')
        first ??= hex(bytes)
        expectEqual(hex(bytes), first, 'key')
      },
      1,
    ),
  ]
}

async function documents(t: CaseContext): Promise<KnownQuestion[]> {
  return LENGTHS.map((length) => {
    const [userData, nonce] = [bytesOf(length), Uint8Array.of(9, length % 256)]
    const judge = (bytes: Uint8Array) => {
      const document = decodeCoseDocument(bytes, 'document')
      const bindings = [document.payload.user_data, document.payload.nonce].map(hex)
      expectEqual(bindings, [hex(userData), hex(nonce)], 'user_data and nonce')
      expectEqual(isSignedByLeaf(document), true, 'signed by the key of its certificate')
    }
    return question(t, attestationFrame(userData, nonce), judge, 2)
  })
}

/** Documents of a prover host, and what it must refuse. */
export const documentQuestions = { bound, refused }

/** Key and documents of an enclave, on its own wire. */
export const enclaveQuestions = { keys, documents }
