import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import secp256k1 from 'secp256k1'
import { bytesToHex, hexToBytes, keccak256, recoverAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { RollbedError } from '../errors/rollbed-error.ts'
import type { Hex } from '../types/bytes.ts'
import { recoverSigner } from './recover-signer.ts'
import { addressOf, createSigner } from './signer.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => BigInt(bytesToHex(key)) > 0n && BigInt(bytesToHex(key)) < ORDER)
const journals = fc.uint8Array({ minLength: 196, maxLength: 300 })

/** OpenZeppelin and viem want 27 or 28 (SIG-06). */
const normalised = (signature: Hex): Hex =>
  `${signature.slice(0, 130) as Hex}${(27 + Number(`0x${signature.slice(130)}`)).toString(16)}`

describe('a signature', () => {
  test('given any journal, then it recovers to the signer over its plain keccak256 (SIG-03, SIG-05, SIG-07)', async () => {
    await fc.assert(
      fc.asyncProperty(keys, journals, async (key, journal) => {
        const signer = createSigner(key)
        const signature = signer.sign(journal)
        const hash = keccak256(journal)
        const address = await recoverAddress({ hash, signature: normalised(signature) })
        expect(address.toLowerCase()).toBe(signer.address)
        expect(privateKeyToAddress(bytesToHex(key)).toLowerCase()).toBe(signer.address)
        expect(recoverSigner(journal, signature)).toBe(signer.address)
      }),
      { numRuns: 30 },
    )
  })

  test('given any journal, then it is r ‖ s ‖ v as @noble/curves makes it: RFC 6979, low s, v 0 or 1 (SIG-01, SIG-02, SIG-04)', () => {
    fc.assert(
      fc.property(keys, journals, (key, journal) => {
        const digest = hexToBytes(keccak256(journal))
        const options = { prehash: false, lowS: true, format: 'recovered' } as const
        const [recid, ...rs] = noble.sign(digest, key, options)
        expect(createSigner(key).sign(journal)).toBe(`${bytesToHex(Uint8Array.from(rs))}0${recid}`)
        expect(recid).toBeLessThanOrEqual(1)
      }),
      { numRuns: 30 },
    )
  })

  const signer = createSigner(Buffer.alloc(32, 1))
  const journal = Buffer.alloc(196)
  const signature = signer.sign(journal)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  test.each([
    ['of 64 bytes', signature.slice(0, 130)],
    ['of 66 bytes', `${signature}00`],
    ['with v 27', normalised(signature)],
    ['with v 2', `${signature.slice(0, 131)}2`],
    ['with high s', `${signature.slice(0, 66)}${(ORDER - s).toString(16).padStart(64, '0')}00`],
    ['of zeros', `0x${'00'.repeat(65)}`],
    ['of r above the field', `0x${'ff'.repeat(32)}${'01'.repeat(32)}00`],
  ])('given one %s, then it is refused', (_what, wrong) => {
    expect(refusal(() => recoverSigner(journal, wrong as Hex))).toBe(
      'SIGNATURE_INVALID: The signature is not r ‖ s ‖ v with low s and v 0 or 1.',
    )
  })

  test('given an r whose r + n is the x of a point, then v 2, which recovers elsewhere, is refused here', () => {
    const r = '2'.padStart(64, '0')
    const rs = hexToBytes(`0x${r}${r}`)
    expect(secp256k1.ecdsaRecover(rs, 2, hexToBytes(keccak256(journal)))).toHaveLength(33)
    const wrong: Hex = `0x${r}${r}02`
    expect(refusal(() => recoverSigner(journal, wrong))).toBe(
      'SIGNATURE_INVALID: The signature is not r ‖ s ‖ v with low s and v 0 or 1.',
    )
  })
})

describe('a signer', () => {
  test('given a key of the Base sources, then the address is that of their vector', () => {
    const publicKey =
      '046420ce4cd6dda7f798f451878bf5725c10c2b5057eb4aa9fd6b0063367e475e0b0f3a06b7006d6142ea92a4b2dbeb2e0366fd02a060bc68a7690e201932656c4'
    expect(addressOf(Buffer.from(publicKey, 'hex'))).toBe(
      '0x0cbe4a965b41da6b2d5af4d53c0c16a37d6f9f7d',
    )
  })

  test('given a private key, then nothing of it is shown (SAFE-01)', () => {
    const key = createHash('sha256').update('key').digest()
    const signer = createSigner(key)
    const shown = inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer)
    expect(shown).not.toContain(key.toString('hex'))
    expect(signer.publicKey).toHaveLength(65)
  })

  test('given a key that is overwritten later, then the signer keeps its own copy', () => {
    const key = Buffer.alloc(32, 3)
    const signer = createSigner(key)
    const before = signer.sign(Buffer.alloc(1))
    key.fill(0)
    expect(signer.sign(Buffer.alloc(1))).toBe(before)
  })

  test.each([new Uint8Array(32), Buffer.from(ORDER.toString(16), 'hex'), new Uint8Array(31)])(
    'given an invalid key, then no signer is made of it',
    (key) => {
      expect(refusal(() => createSigner(key))).toBe(
        'SIGNER_KEY_INVALID: The signer key is not a secp256k1 private key.',
      )
    },
  )
})

function refusal(action: () => unknown): string {
  try {
    action()
    return 'not refused'
  } catch (error) {
    const { code, message } = error as RollbedError
    return `${code}: ${message}`
  }
}
