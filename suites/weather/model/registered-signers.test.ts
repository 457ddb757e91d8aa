import { keccak256, pad, toBytes } from 'viem'
import { expect, test } from 'vitest'
import type { LoggedEvent } from '../checkers/checker.ts'
import { possibleSigners, registeredWithin } from './registered-signers.ts'

const [KEY, OTHER] = ([0x51, 0x52] as const).map((name) =>
  pad(`0x${name.toString(16)}`, { size: 20 }),
) as [`0x${string}`, `0x${string}`]
const [REGISTERED, STRUCK_OFF] = ['SignerRegistered', 'SignerDeregistered'].map((name) =>
  keccak256(toBytes(`${name}(address)`)),
)

/** A block of L1 that is mined at this millisecond, and read at once. */
const block = (t: number, hash: string, parent: string, registry?: unknown): LoggedEvent[] => [
  { t, who: 'l1', what: 'block', data: { hash } },
  { t, who: 'reader', what: 'l1.block', data: { hash, parent, ...(registry ? { registry } : {}) } },
]
const registered = (key: `0x${string}`) => [[REGISTERED, pad(key)]]

test('given a key that is registered and struck off, when asked for a time, then it is there between both alone', () => {
  const within = registeredWithin([
    ...block(0, 'a', ''),
    ...block(10, 'b', 'a', registered(KEY)),
    ...block(20, 'c', 'b', [[STRUCK_OFF, pad(KEY)]]),
    ...block(30, 'd', 'c', registered(OTHER)),
  ])
  expect(within(5, 9)).toEqual(new Set())
  expect(within(5, 10)).toEqual(new Set([KEY]))
  expect(within(15, 25)).toEqual(new Set([KEY]))
  expect(within(21, 29)).toEqual(new Set())
  expect(within(12, 35)).toEqual(new Set([KEY, OTHER]))
})

test('given a reorganization, when asked, then what is registered is that of the new branch, and unknown where it was not read', () => {
  const within = registeredWithin([
    ...block(0, 'a', ''),
    ...block(10, 'b', 'a', registered(KEY)),
    ...block(20, 'c', 'a'),
    { t: 30, who: 'l1', what: 'block', data: { hash: 'd' } },
  ])
  expect(within(21, 29)).toEqual(new Set())
  expect(within(25, 35)).toBeUndefined()
})

test('given an enclave that boots without being registered, when asked who may have signed, then it is among them only where it came after the request', () => {
  const booted = (t: number, signer: string): LoggedEvent => ({
    ...{ t, who: 'enclave.16', what: 'booted' },
    data: { signer, imageHash: '0x1' },
  })
  const possible = possibleSigners([
    ...[...block(0, 'a', ''), booted(1, KEY)],
    ...[...block(10, 'b', 'a', registered(KEY)), booted(20, OTHER), ...block(40, 'c', 'b')],
  ])
  const signers = (asked: number, made: number) => possible(asked, made).map(({ signer }) => signer)
  expect(signers(15, 25)).toEqual([KEY, OTHER])
  expect(signers(15, 19)).toEqual([KEY])
  expect(signers(21, 45)).toEqual([KEY])
})
