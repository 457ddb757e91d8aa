import { readFileSync } from 'node:fs'
import { hexToBytes, keccak256, stringToBytes } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  attestationFrame,
  expectResponse,
  hashKey,
  localKey,
  proveFrame,
  readPairs,
  SIGNER_PUBLIC_KEY,
} from './enclave-messages.ts'

const FILE = new URL('../../../../fixtures/vectors/enclave-frames.json', import.meta.url)
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as {
  tests: { comment: string; frame: string }[]
}
const vector = (comment: string) =>
  vectors.tests.find((test) => test.comment.startsWith(comment))!.frame
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const payload = (comment: string) => hexToBytes(`0x${vector(comment).slice(8)}`)

const hello = { type: 'keccak256' as const, value: stringToBytes('hello world') }
const chainId = {
  type: 'local' as const,
  key: localKey(5),
  value: hexToBytes('0x0000000000002105'),
}

describe('frames of the gate, against those of the Rust crates', () => {
  it('given a question for the key, then it is the same', () =>
    expect(hex(SIGNER_PUBLIC_KEY)).toBe(vector('SignerPublicKey')))

  it('given a question for an attestation, with and without members, then it is the same', () => {
    expect(hex(attestationFrame(Uint8Array.of(1, 2)))).toBe(vector('SignerAttestation, user_data'))
    expect(hex(attestationFrame())).toBe(vector('SignerAttestation, neither'))
  })

  it('given a question for a proof, then it is the same', () => {
    expect(hex(proveFrame([]))).toBe(vector('Prove without preimages'))
    expect(hex(proveFrame([chainId]))).toBe(vector('Prove, local key 5'))
    const pair = { ...hello, key: hashKey('keccak256', hello.value) }
    expect(hex(proveFrame([pair]))).toBe(vector('Prove, keccak256 key'))
    expect(hex(pair.key)).toBe(keccak256(hello.value).slice(4))
  })

  it('given what the gate wrote, then it reads it back', () => {
    const pairs = [
      chainId,
      { type: 'sha256' as const, key: localKey(1), value: new Uint8Array(300) },
    ]
    const read = readPairs(proveFrame(pairs).subarray(4))
    expect(read.map(({ type, key, value }) => [type, hex(key), hex(value)])).toEqual(
      pairs.map(({ type, key, value }) => [type, hex(key), hex(value)]),
    )
  })

  it('given an error and a proof, then they are read', () => {
    expect(expectResponse(payload('Error'), 'reply')).toEqual({
      kind: 'error',
      message: 'unsupported chain: 1',
    })
    const proof = expectResponse(payload('Prove response'), 'reply')
    expect(proof).toMatchObject({
      kind: 'proof',
      aggregate: { l1_origin_number: 100, l2_block_number: 12_345 },
      proposals: [{ config_hash: `0x${'04'.repeat(32)}` }],
    })
  })

  it('given what is cut short, then it is not taken', () => {
    const whole = payload('Prove response')
    expect(() => expectResponse(whole.subarray(0, -1), 'reply')).toThrow('reply')
    expect(() => expectResponse(undefined, 'reply')).toThrow('reply')
  })
})
