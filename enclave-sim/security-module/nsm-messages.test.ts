import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeNsmRequest,
  decodeNsmResponse,
  encodeNsmRequest,
  encodeNsmResponse,
  type NsmRequest,
  type NsmResponse,
} from './nsm-messages.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (value: string) => Buffer.from(value).toString('hex')

// Written by hand after RFC 8949: text 0x60+n, map 0xa0+n, bytes 0x40+n, null f6, true f5.
const requests: [string, NsmRequest][] = [
  [`69${text('GetRandom')}`, { kind: 'GetRandom' }],
  [`a16b${text('DescribePCR')}a165${text('index')}04`, { kind: 'DescribePCR', index: 4 }],
  [
    `a16b${text('Attestation')}a365${text('nonce')}f669${text('user_data')}4201026a${text('public_key')}f6`,
    { kind: 'Attestation', userData: Buffer.of(1, 2), nonce: null, publicKey: null },
  ],
]
const responses: [string, NsmResponse][] = [
  [
    `a169${text('GetRandom')}a166${text('random')}4107`,
    { kind: 'GetRandom', random: Buffer.of(7) },
  ],
  [
    `a16b${text('DescribePCR')}a264${text('data')}410964${text('lock')}f5`,
    { kind: 'DescribePCR', lock: true, data: Buffer.of(9) },
  ],
  [
    `a16b${text('Attestation')}a168${text('document')}4184`,
    { kind: 'Attestation', document: Buffer.of(0x84) },
  ],
  [`a165${text('Error')}6d${text('InputTooLarge')}`, { kind: 'Error', code: 'InputTooLarge' }],
]

const plain = (value: object) =>
  Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, v instanceof Uint8Array ? hex(v) : v]),
  )

describe('messages of the security module', () => {
  test.each(requests)(
    'given the request %s, then it is written and read as CBOR has it',
    (encoded, request) => {
      expect(hex(encodeNsmRequest(request))).toBe(encoded)
      expect(plain(decodeNsmRequest(Buffer.from(encoded, 'hex')))).toEqual(plain(request))
    },
  )

  test.each(responses)(
    'given the response %s, then it is written and read as CBOR has it',
    (encoded, response) => {
      expect(hex(encodeNsmResponse(response))).toBe(encoded)
      expect(plain(decodeNsmResponse(Buffer.from(encoded, 'hex')))).toEqual(plain(response))
    },
  )

  test('given a request above 4096 bytes or a response above 12288, then it is refused', () => {
    const fill = (size: number) => Buffer.alloc(size)
    const request = (size: number): NsmRequest => ({
      kind: 'Attestation',
      userData: fill(size),
      nonce: null,
      publicKey: null,
    })
    expect(() => encodeNsmRequest(request(4000))).not.toThrow()
    expect(() => encodeNsmRequest(request(4097))).toThrow('above the limit of 4096')
    expect(() => decodeNsmRequest(fill(4097))).toThrow('above the limit')
    expect(() => encodeNsmResponse({ kind: 'GetRandom', random: fill(12_288) })).toThrow('12288')
  })

  test('given bytes that are no message, then they are refused as such', () => {
    const refusal = expect.objectContaining({ code: 'NSM_MESSAGE_INVALID' })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (garbage) => {
        for (const decode of [decodeNsmRequest, decodeNsmResponse]) {
          try {
            decode(garbage)
          } catch (error) {
            expect(error).toEqual(refusal)
          }
        }
      }),
    )
    expect(() => decodeNsmRequest(Buffer.from('a0', 'hex'))).toThrow('not one variant')
    expect(() => decodeNsmRequest(Buffer.from('a1614101', 'hex'))).toThrow('unknown request A')
  })
})
