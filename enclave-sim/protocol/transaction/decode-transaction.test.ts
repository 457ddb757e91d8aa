import { encode } from '@ethereumjs/rlp'
import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Address } from '../types/bytes.ts'
import { recoverAuthority } from './authorization.ts'
import { decodeTransaction } from './decode-transaction.ts'
import { encodeDeposit } from './encode-deposit.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

const signer = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const sender = signer.address.toLowerCase()
const TO: Address = '0x00000000000000000000000000000000000000aa'
const TYPES = { 0: 'legacy', 1: 'eip2930', 2: 'eip1559', 4: 'eip7702' } as const

const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
const signed = fc
  .record({
    type: fc.constantFrom<0 | 1 | 2 | 4>(0, 1, 2, 4),
    chainId: fc.integer({ min: 1, max: 2 ** 31 }),
    nonce: fc.nat(),
    gas: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fee: fc.bigInt({ min: 0n, max: 2n ** 128n }),
    value: fc.bigInt({ min: 0n, max: 2n ** 200n }),
    data: fc.uint8Array({ maxLength: 80 }).map((bytes) => bytesToHex(bytes)),
    to: fc.constantFrom<Address | undefined>(TO, undefined),
    accessList: fc.array(
      fc.record({ address: fc.constant(TO), storageKeys: fc.array(word, { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
    replayProtected: fc.boolean(),
  })
  .map(({ type, fee, to, accessList, chainId, replayProtected, ...rest }) => ({
    type: TYPES[type],
    to: type === 4 ? TO : to,
    ...rest,
    ...(type === 0 && !replayProtected ? {} : { chainId }),
    ...(type < 2 ? { gasPrice: fee } : { maxFeePerGas: fee, maxPriorityFeePerGas: fee / 3n }),
    ...(type === 0 ? {} : { accessList }),
  }))

describe('decodeTransaction', () => {
  test('given any transaction that viem has signed, then every field is as viem reads it', async () => {
    await fc.assert(
      fc.asyncProperty(signed, async (fields) => {
        const authorization = await signer.signAuthorization({ chainId: 5, address: TO, nonce: 9 })
        const list = fields.type === 'eip7702' ? { authorizationList: [authorization] } : {}
        const raw = await signer.signTransaction({ ...fields, ...list } as TransactionSerializable)
        const theirs = parseTransaction(raw)
        const ours = decodeTransaction(hexToBytes(raw))
        if (ours.type === 0x7e) throw new Error('a deposit')
        expect(TYPES[ours.type]).toBe(theirs.type)
        expect(ours).toMatchObject({
          hash: keccak256(raw),
          from: sender,
          to: theirs.to ?? null,
          nonce: BigInt(theirs.nonce ?? 0),
          gas: theirs.gas ?? 0n,
          value: theirs.value ?? 0n,
          chainId: theirs.chainId === undefined ? undefined : BigInt(theirs.chainId),
          maxFeePerGas: theirs.gasPrice ?? theirs.maxFeePerGas ?? 0n,
          maxPriorityFeePerGas: theirs.gasPrice ?? theirs.maxPriorityFeePerGas ?? 0n,
          accessList: theirs.accessList ?? [],
          yParity: theirs.yParity,
          r: BigInt(theirs.r!),
          s: BigInt(theirs.s!),
        })
        expect(bytesToHex(ours.data)).toBe(theirs.data ?? '0x')
        expect(ours.authorizationList.map(recoverAuthority)).toEqual(
          list.authorizationList ? [sender] : [],
        )
      }),
      { numRuns: 60, verbose: 1 },
    )
  })

  test('given any bytes, then it decodes them or says what is wrong', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 120 }),
      fc
        .tuple(
          fc.constantFrom([], [1], [2], [4], [0x7e]),
          fc.array(
            fc.oneof(
              fc.uint8Array({ maxLength: 33 }),
              fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 2 }),
            ),
            { minLength: 8, maxLength: 13 },
          ),
        )
        .map(([type, fields]) => concatBytes(Uint8Array.from(type), encode(fields))),
    )
    fc.assert(
      fc.property(bytes, (raw) => {
        try {
          decodeTransaction(raw)
        } catch (error) {
          expect(error).toBeInstanceOf(TransactionMalformed)
        }
      }),
      { numRuns: 500, verbose: 1 },
    )
  })

  // https://sepolia-optimism.etherscan.io/tx/0xbf8b5f08c43e4b860715cd64fc0849bbce0d0ea20a76b269e7bc8886d112fca7
  const DEPOSIT =
    '0x7ef861a0dfd7ae78bf3c414cfaa77f13c0205c82eb9365e217b2daa3448c3156b69b27ac94778f2146f48179643473b82931c4cd7b8f153efd94778f2146f48179643473b82931c4cd7b8f153efd872386f26fc10000872386f26fc10000830186a08080'

  test('given a deposit of OP Sepolia, then fields and hash are those of the explorer, and it encodes back', () => {
    const deposit = decodeTransaction(hexToBytes(DEPOSIT))
    expect(deposit).toMatchObject({
      type: 0x7e,
      hash: '0xbf8b5f08c43e4b860715cd64fc0849bbce0d0ea20a76b269e7bc8886d112fca7',
      sourceHash: '0xdfd7ae78bf3c414cfaa77f13c0205c82eb9365e217b2daa3448c3156b69b27ac',
      from: '0x778f2146f48179643473b82931c4cd7b8f153efd',
      to: '0x778f2146f48179643473b82931c4cd7b8f153efd',
      mint: 10n ** 16n,
      value: 10n ** 16n,
      gas: 100_000n,
      isSystemTransaction: false,
    })
    if (deposit.type !== 0x7e) throw new Error('no deposit')
    expect(bytesToHex(encodeDeposit(deposit))).toBe(DEPOSIT)
  })

  const u = (...bytes: number[]) => Uint8Array.from(bytes)
  const to = hexToBytes(TO)
  /** nonce, price, gas, to, value, data, v, r, s with one field replaced. */
  const legacy = (index: number, field: Uint8Array | Uint8Array[]) => {
    const fields: (Uint8Array | Uint8Array[])[] = [u(), u(1), u(1), to, u(), u(), u(27), u(1), u(1)]
    fields[index] = field
    return encode(fields)
  }
  const setCode = (recipient: Uint8Array, list: Uint8Array[][]) =>
    concatBytes(
      u(4),
      encode([u(1), u(), u(), u(), u(1), recipient, u(), u(), [], list, u(), u(1), u(1)]),
    )
  const highS = hexToBytes('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140')

  test.each<[string, Uint8Array, string]>([
    ['no bytes', u(), 'TRANSACTION_EMPTY'],
    ['an unknown type', u(5, 0xc0), 'TRANSACTION_TYPE_UNKNOWN'],
    ['a blob transaction', u(3, 0xc0), 'BLOB_TRANSACTION_UNSUPPORTED'],
    ['bytes after the end', concatBytes(legacy(0, u()), u(0)), 'RLP_INVALID'],
    ['a short byte with a prefix', u(2, 0xc2, 0x81, 0x01), 'RLP_INVALID'],
    ['a missing field', concatBytes(u(2), encode([u()])), 'FIELD_COUNT_WRONG'],
    ['a leading zero', legacy(0, u(0, 1)), 'QUANTITY_NOT_CANONICAL'],
    ['a zero byte for zero', legacy(4, u(0)), 'QUANTITY_NOT_CANONICAL'],
    ['a nonce of 9 bytes', legacy(0, new Uint8Array(9).fill(1)), 'QUANTITY_TOO_LARGE'],
    ['a value of 33 bytes', legacy(4, new Uint8Array(33).fill(1)), 'QUANTITY_TOO_LARGE'],
    ['an address of 19 bytes', legacy(3, new Uint8Array(19)), 'FIELD_INVALID'],
    ['a list as data', legacy(5, [u()]), 'FIELD_INVALID'],
    ['a v of 29', legacy(6, u(29)), 'SIGNATURE_INVALID'],
    ['an r of 0', legacy(7, u()), 'SIGNATURE_INVALID'],
    ['a high s (EIP-2)', legacy(8, highS), 'SIGNATURE_HIGH_S'],
    ['set-code without a recipient', setCode(u(), []), 'FIELD_INVALID'],
    ['set-code without authorizations', setCode(to, []), 'AUTHORIZATION_LIST_EMPTY'],
  ])('given %s, then it is refused as %3$s', (_, raw, code) => {
    expect(() => decodeTransaction(raw)).toThrow(expect.objectContaining({ code }))
  })
})

describe('recoverAuthority', () => {
  test('given an authorization with a high s or a parity above 1, then it is nobody', async () => {
    const { r, s, yParity } = await signer.signAuthorization({ chainId: 1, address: TO, nonce: 0 })
    const authorization = {
      chainId: 1n,
      address: TO,
      nonce: 0n,
      r: BigInt(r),
      s: BigInt(s),
      yParity: BigInt(yParity!),
    }
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    expect(recoverAuthority(authorization)).toBe(sender)
    expect(
      recoverAuthority({
        ...authorization,
        s: order - authorization.s,
        yParity: 1n - authorization.yParity,
      }),
    ).toBeUndefined()
    expect(recoverAuthority({ ...authorization, yParity: 2n })).toBeUndefined()
    expect(recoverAuthority({ ...authorization, r: 0n })).toBeUndefined()
  })
})
