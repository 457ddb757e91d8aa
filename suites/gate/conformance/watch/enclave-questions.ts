import { toHex } from 'viem'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectError } from '../matchers/expect-error.ts'
import { anyBytes } from '../probes/any-bytes.ts'
import { expectDocuments } from '../scenes/enclave-identities.ts'
import { decodeCoseDocument, findBrokenLink, isSignedByLeaf } from '../spec/cose-document.ts'
import { attestationFrame, expectResponse, SIGNER_PUBLIC_KEY } from '../spec/enclave-messages.ts'
import type { EnclaveReply } from '../wire/enclave-client.ts'
import { type KnownQuestion, rpcQuestion } from './known-question.ts'

const METHOD = 'enclave_signerAttestation'
/** Bytes of user data, up to the limit (LIM-04), and around 251, from which on bincode writes lengths in more bytes. */
const LENGTHS = [1, 33, 64, 250, 251, 255, 256, 512]
/** Bytes of the nonce beside: short ones beside long user data, and the other way round. */
const nonceLength = (length: number) => LENGTHS[LENGTHS.length - 1 - LENGTHS.indexOf(length)]!
/** Both as long as they may be. */
const LONGEST = 512
/** Bytes of one without the other. */
const ALONE = 40
const TOO_LONG = 513
/** By which the clocks of a host and of the gate may differ; milliseconds. */
const HOUR = 3_600_000
/** What the end after an answer may take: longer than any machine is busy; milliseconds. */
const CLOSES_WITHIN = 30_000

const bytesOf = (length: number) => Buffer.from(anyBytes(length).slice(2), 'hex')
const hex = (bytes: Uint8Array | null | undefined) => (bytes ? toHex(bytes) : '0x')

async function bound({ prover }: CaseContext): Promise<KnownQuestion[]> {
  const keys = await prover.call('enclave_signerPublicKey', [])
  const count = Array.isArray(keys.body.result) ? keys.body.result.length : 0
  const noncesOf = (length: number) =>
    Array.from({ length: count }, (_, index) => [index, ...bytesOf(length).subarray(1)])
  const question = (userData: Uint8Array | null, nonces: number[][] | null) =>
    rpcQuestion(prover, [METHOD, [userData && [...userData], nonces]], (reply) => {
      const documents = expectDocuments(reply)
      const bindings = documents.map(({ payload }) => [hex(payload.user_data), hex(payload.nonce)])
      const asked = Array.from({ length: count }, (_, index) => [
        hex(userData),
        nonces ? toHex(Uint8Array.from(nonces[index]!)) : '0x',
      ])
      expectEqual(bindings, asked, 'user_data and nonce of each document')
    })
  return [
    ...LENGTHS.map((length) => question(bytesOf(length), noncesOf(nonceLength(length)))),
    question(bytesOf(LONGEST), noncesOf(LONGEST)),
    question(bytesOf(ALONE), null),
    question(null, noncesOf(ALONE)),
  ]
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
        ...{ transport: 'vsock' as const, url: enclave.endpoint },
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
  const { clock, enclave } = t
  const key = hex(bytesIn(await enclave.send(SIGNER_PUBLIC_KEY), 1))
  const signatures = new Set<string>()
  let registers: string | undefined
  let newest = 0
  const judgeDocument = (bytes: Uint8Array, bindings: readonly (Uint8Array | undefined)[]) => {
    const document = decodeCoseDocument(bytes, 'document')
    const { payload } = document
    const bound = [payload.public_key, payload.user_data, payload.nonce].map(hex)
    expectEqual(bound, [key, ...bindings.map(hex)], 'public_key, user_data and nonce')
    expectEqual(isSignedByLeaf(document), true, 'signed by the key of its certificate')
    expectThat(payload.cabundle.length > 0, 'a chain', 0, 'cabundle.length')
    expectEqual(findBrokenLink(payload), undefined, 'certificate chain')
    const own = [...payload.pcrs].map(([at, value]) => `${at} ${hex(value)}`)
    for (const [at, { length }] of payload.pcrs) expectEqual(length, 48, `bytes of PCR${at}`)
    expectThat(own.length > 1, 'more than PCR0', own.length, 'number of PCRs')
    // What was booted does not change while it runs.
    registers ??= own.join()
    expectEqual(own.join(), registers, 'pcrs')
    const time = Number(payload.timestamp)
    const isOfNow = Math.abs(time - clock.now()) < HOUR && time >= newest
    expectThat(isOfNow, `about ${clock.now()}, and ${newest} at least`, time, 'timestamp')
    newest = time
    // Each is asked for when the one before is there.
    expectEqual(
      signatures.has(hex(document.signature)),
      false,
      'the document of an earlier request',
    )
    signatures.add(hex(document.signature))
  }
  const asked: (readonly [userData: Uint8Array | undefined, nonce: Uint8Array | undefined])[] = [
    ...LENGTHS.map((length) => [bytesOf(length), bytesOf(nonceLength(length))] as const),
    [bytesOf(LONGEST), bytesOf(LONGEST)],
    [bytesOf(ALONE), undefined],
    [undefined, bytesOf(ALONE)],
  ]
  return asked.map((bindings) =>
    question(t, attestationFrame(...bindings), (bytes) => judgeDocument(bytes, bindings), 2),
  )
}

/** Documents of a prover host, and what it must refuse. */
export const documentQuestions = { bound, refused }

/** Key and documents of an enclave, on its own wire. */
export const enclaveQuestions = { keys, documents }
