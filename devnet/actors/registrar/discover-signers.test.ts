import { hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createLogger } from '#devnet/base/create-logger'
import { discoverSigners } from './discover-signers.ts'

/** Of the private key 1, by another library, and its address as everybody knows it. */
const KEY = hexToBytes(privateKeyToAccount(`0x${'0'.repeat(63)}1`).publicKey)
const SIGNER = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'

const signersOf = (keys: readonly Uint8Array[]) => {
  const rpc = { request: () => Promise.resolve(keys.map((key) => [...key])) }
  return discoverSigners([{ name: 'host', rpc }], createLogger('silent'))
}

describe('the signers of a host', () => {
  test('given whole keys, then their addresses are told in its order', async () => {
    const [host] = await signersOf([KEY])
    expect(host?.signers).toEqual([SIGNER])
  })

  test.each([
    ['one byte too short', KEY.slice(0, 64)],
    ['one byte too long', Uint8Array.of(...KEY, 0)],
    ['of another form, and as long', Uint8Array.of(5, ...KEY.slice(1))],
    ['compressed', Uint8Array.of(2, ...KEY.slice(1, 33))],
    ['wrong in one bit', KEY.with(40, KEY[40]! ^ 4)],
  ])('given a key that is %s, then the host is left out', async (_, key) => {
    expect(await signersOf([KEY, key])).toEqual([])
  })
})
