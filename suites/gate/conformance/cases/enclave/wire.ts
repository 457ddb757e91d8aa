import { toHex } from 'viem'
import { CaseFailure } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectPoint } from '../../matchers/expect-point.ts'
import { decodeCoseDocument } from '../../spec/cose-document.ts'
import {
  attestationFrame,
  expectResponse,
  frame,
  proveFrame,
  SIGNER_PUBLIC_KEY,
} from '../../spec/enclave-messages.ts'
import { ANSWERS_WITHIN, ENDS_WITHIN } from '../../wire/enclave-client.ts'

const USER_DATA = Uint8Array.of(1, 2, 3)
const NONCE = Uint8Array.of(9, 8, 7)
/** For a case: one answer may come as late as that, and some more time is needed; milliseconds. */
const TIMEOUT = ANSWERS_WITHIN + 30_000
/** A payload of 256 bytes: a variant, then two times an option, a length and the bytes. */
const ROUND = attestationFrame(new Uint8Array(100).fill(5), new Uint8Array(151).fill(6))

async function readKey(t: CaseContext): Promise<Uint8Array> {
  const { payloads } = await t.enclave.send(SIGNER_PUBLIC_KEY)
  const response = expectResponse(payloads[0], 'reply to signer_public_key')
  expectThat(response.kind === 'bytes' && response.variant === 1, 'a key', response.kind, 'reply')
  return response.bytes
}

export const cases = defineCases([
  {
    id: 'enclave.wire.framing.01',
    title: 'Requests and responses are a big-endian length and a bincode payload',
    area: 'enclave',
    rules: ['ENC-PROTO-05', 'ENC-PROTO-06', 'ENC-PROTO-07', 'ENC-KIND-03'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'A payload of 256 bytes: read in another byte order its length is 65,536.',
    async run(t) {
      expectEqual(toHex(ROUND.subarray(0, 4)), '0x00000100', 'length of the request')
      const { payloads, rest } = await t.enclave.send(ROUND)
      expectEqual(rest.length, 0, 'bytes after the response frame')
      const { kind } = expectResponse(payloads[0], 'reply to signer_attestation')
      expectEqual(kind, 'bytes', 'kind of the reply')
    },
  },
  {
    id: 'enclave.wire.in-pieces.01',
    title:
      'A request that comes in two pieces, cut in its length or in its payload, is one request',
    area: 'enclave',
    rules: ['ENC-PROTO-05', 'ENC-PROTO-06'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'A stream has no borders: one read gives what has come so far.',
    async run(t) {
      for (const cutAt of [1, 2, 3, 4, 5, ROUND.length - 1]) {
        const { payloads } = await t.enclave.send(ROUND, { cutAt })
        expectEqual(payloads.length, 1, `responses to a request cut after ${cutAt} bytes`)
        const at = `reply to a request cut after ${cutAt} bytes`
        expectEqual(expectResponse(payloads[0], at).kind, 'bytes', at)
      }
    },
  },
  {
    id: 'enclave.wire.one-exchange.01',
    title: 'Two requests on one connection get one response, then the end',
    area: 'enclave',
    rules: ['ENC-PROTO-03', 'ENC-PROTO-04'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'One request, one response, and nothing kept in between.',
    async run(t) {
      const twice = Buffer.concat([SIGNER_PUBLIC_KEY, SIGNER_PUBLIC_KEY])
      const { payloads, rest } = await t.enclave.send(twice)
      expectEqual(payloads.length, 1, 'responses')
      expectEqual(rest.length, 0, 'bytes after it')
      const { closed } = await t.enclave.send(SIGNER_PUBLIC_KEY, { closesWithin: ENDS_WITHIN })
      expectEqual(closed, true, 'closed after the response')
    },
  },
  {
    id: 'enclave.wire.port.01',
    title: 'The enclave listens on port 8000 and on no port beside it',
    area: 'enclave',
    rules: ['ENC-PROTO-08'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'Hosts dial 8000 on any CID.',
    async run(t) {
      const { payloads } = await t.enclave.send(SIGNER_PUBLIC_KEY, { port: 8000 })
      expectEqual(payloads.length, 1, 'responses on port 8000')
      const other = await t.enclave.send(SIGNER_PUBLIC_KEY, { port: 8001 }).catch((error) => error)
      expectThat(other instanceof CaseFailure, 'no connection', other, 'port 8001')
    },
  },
  {
    id: 'enclave.kinds.public-key.01',
    title: 'signer_public_key gives the 65-byte key, the same each time',
    area: 'enclave',
    rules: ['ENC-KIND-02'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'Uncompressed, and a point of secp256k1.',
    async run(t) {
      const key = await readKey(t)
      expectPoint(key, 'key')
      expectEqual(toHex(await readKey(t)), toHex(key), 'key of a second request')
    },
  },
  {
    id: 'enclave.kinds.attestation.01',
    title: 'signer_attestation gives a document of the key, user_data and nonce',
    area: 'enclave',
    rules: ['ENC-KIND-03', 'ENC-PROTO-04'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'The raw bytes of the security module, for this request.',
    async run(t) {
      const { payloads, closed } = await t.enclave.send(attestationFrame(USER_DATA, NONCE), {
        closesWithin: ENDS_WITHIN,
      })
      expectEqual(closed, true, 'closed after the document')
      const response = expectResponse(payloads[0], 'reply to signer_attestation')
      expectThat(
        response.kind === 'bytes' && response.variant === 2,
        'a document',
        response,
        'reply',
      )
      const { payload } = decodeCoseDocument(response.bytes, 'document')
      const bound = [payload.public_key, payload.user_data, payload.nonce].map(
        (bytes) => bytes && toHex(bytes),
      )
      expectEqual(
        bound,
        [await readKey(t), USER_DATA, NONCE].map((bytes) => toHex(bytes)),
        'bound',
      )
    },
  },
  {
    id: 'enclave.kinds.prove-nothing.01',
    title: 'Prove without preimages gives an error response, and then the end',
    area: 'enclave',
    rules: ['ENC-KIND-01', 'ENC-PROTO-04'],
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale:
      'The kind is known, so it is answered and the connection not dropped; an error ends it as well.',
    async run(t) {
      const { payloads, closed } = await t.enclave.send(proveFrame([]), {
        closesWithin: ENDS_WITHIN,
      })
      expectEqual(closed, true, 'closed after the error')
      expectEqual(expectResponse(payloads[0], 'reply to Prove').kind, 'error', 'kind of the reply')
    },
  },
  {
    id: 'enclave.kinds.unknown.01',
    title: 'Unknown kinds and broken payloads get no result, and the enclave stays up',
    area: 'enclave',
    rules: ['ENC-KIND-04'],
    level: 'should',
    needs: ['enclave'],
    timeout: TIMEOUT,
    rationale: 'There are three kinds; a fourth would be a way in.',
    async run(t) {
      // 257 and 513, too: their last byte is that of a kind there is.
      const long = [
        [0xfb, 1, 1],
        [0xfb, 1, 2],
      ]
      for (const payload of [[3], [4], [9], [250], ...long, [], [2, 7], [0, 255], [2, 1, 0xfd]]) {
        const { payloads } = await t.enclave.send(frame(Uint8Array.from(payload)))
        if (payloads.length === 0) continue
        const at = `reply to ${toHex(Uint8Array.from(payload))}`
        expectEqual(expectResponse(payloads[0], at).kind, 'error', at)
      }
      expectEqual((await readKey(t)).length, 65, 'bytes of the key afterwards')
    },
  },
])
