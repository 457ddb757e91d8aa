import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import vectors from '#fixtures/vectors/enclave-frames.json' with { type: 'json' }
import { localKey } from '#protocol/oracle/preimage-key'
import {
  decodeRequest,
  decodeResponse,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeRequest,
  encodeResponse,
} from './messages.ts'

const proposal = {
  outputRoot: `0x${'01'.repeat(32)}`,
  signature: `0x${'ab'.repeat(64)}00`,
  l1OriginHash: `0x${'02'.repeat(32)}`,
  l1OriginNumber: 100n,
  l2BlockNumber: 12345n,
  prevOutputRoot: `0x${'03'.repeat(32)}`,
  configHash: `0x${'04'.repeat(32)}`,
} as const

const KECCAK_HELLO = '0x173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad'

/** The messages of fixtures/vectors/enclave-frames.json, in its order. */
const messages: (EnclaveRequest | EnclaveResponse)[] = [
  { kind: 'SignerPublicKey' } satisfies EnclaveRequest,
  { kind: 'SignerAttestation', userData: Buffer.of(1, 2), nonce: null },
  { kind: 'SignerAttestation', userData: null, nonce: null },
  { kind: 'Prove', preimages: [] },
  {
    kind: 'Prove',
    preimages: [{ key: localKey(5), value: hexToBytes('0x0000000000002105') }],
  },
  {
    kind: 'Prove',
    preimages: [
      {
        key: { type: 'keccak256', data: hexToBytes(KECCAK_HELLO) },
        value: Buffer.from('hello world'),
      },
    ],
  },
  { kind: 'Error', message: 'unsupported chain: 1' },
  { kind: 'Prove', result: { kind: 'Tee', aggregateProposal: proposal, proposals: [proposal] } },
]

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : Array.isArray(value)
      ? value.map(plain)
      : typeof value === 'object' && value
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
        : value

describe('golden frames (ENC-PROTO-05, ENC-PROTO-06, ENC-KIND-01..03)', () => {
  test.each(vectors.tests.map((vector, index) => [vector.comment, vector, index] as const))(
    'given %s, then it is written and read as the golden frame',
    (_comment, { direction, frame }, index) => {
      const payload = Buffer.from(frame, 'hex').subarray(4)
      const message = messages[index]!
      const encoded =
        direction === 'request'
          ? encodeRequest(message as EnclaveRequest)
          : encodeResponse(message as EnclaveResponse)
      const decoded = direction === 'request' ? decodeRequest(payload) : decodeResponse(payload)
      expect(encoded.toString('hex')).toBe(payload.toString('hex'))
      expect(plain(decoded)).toEqual(plain(message))
    },
  )
})

test('given a fourth request kind, then it does not exist (ENC-KIND-04)', () => {
  expect(() => decodeRequest(Buffer.of(3))).toThrow('unknown variant 3')
})

test('given a root that is not 32 bytes long, then it is refused', () => {
  const frame = Buffer.from(vectors.tests.at(-1)!.frame, 'hex').subarray(4)
  frame[2] = 31
  expect(() => decodeResponse(frame)).toThrow('expected 32 bytes, got 31')
})

test.each([
  ['local', 0],
  ['keccak256', 1],
  ['global-generic', 2],
  ['sha256', 3],
  ['blob', 4],
  ['precompile', 5],
] as const)('given a key of type %s, then it has the number %d on the wire', (type, index) => {
  const preimages = [{ key: { type, data: Buffer.alloc(31) }, value: Buffer.alloc(0) }]
  const payload = encodeRequest({ kind: 'Prove', preimages })
  expect(payload).toEqual(Buffer.concat([Buffer.of(0, 1), Buffer.alloc(31), Buffer.of(index, 0)]))
  expect(decodeRequest(payload)).toEqual({ kind: 'Prove', preimages })
})

test('given a preimage key type above 5, then it is refused', () => {
  const payload = Buffer.concat([Buffer.of(0, 1), Buffer.alloc(31), Buffer.of(6, 0)])
  expect(() => decodeRequest(payload)).toThrow('unknown preimage key type 6')
})

test('given 40,000 preimages, then they survive the way there', () => {
  const value = Buffer.alloc(600, 5)
  const preimages = Array.from({ length: 40_000 }, (_, index) => ({ key: localKey(index), value }))
  const decoded = decodeRequest(encodeRequest({ kind: 'Prove', preimages }))
  if (decoded.kind !== 'Prove') throw new Error(decoded.kind)
  expect(decoded.preimages).toHaveLength(40_000)
  expect(decoded.preimages[39_999]).toEqual({ key: plainKey(39_999), value })
})

const plainKey = (index: number) => ({
  ...localKey(index),
  data: Buffer.from(localKey(index).data),
})
