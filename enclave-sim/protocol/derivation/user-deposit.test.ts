import { hexToBytes } from '@ethereumjs/util'
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  numberToHex,
  pad,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import type { Log } from '../types/block.ts'
import { userDeposits } from './user-deposit.ts'

const PORTAL = `0x${'d0'.repeat(20)}` as const
const L1_HASH = `0x${'11'.repeat(32)}` as const
const TOPIC = keccak256(toHex('TransactionDeposited(address,address,uint256,bytes)'))
const OPAQUE = opaqueData({})

function opaqueData(changes: { isCreation?: boolean; data?: `0x${string}` }): `0x${string}` {
  const { isCreation = false, data = '0xc0ffee' } = changes
  return encodePacked(
    ['uint256', 'uint256', 'uint64', 'bool', 'bytes'],
    [5n, 4n, 100_000n, isCreation, data],
  )
}

function depositLog(changes: Partial<Log> & { opaque?: `0x${string}` } = {}): Log {
  const { opaque = OPAQUE, ...log } = changes
  return {
    address: PORTAL,
    topics: [TOPIC, pad(`0x${'aa'.repeat(20)}`), pad(`0x${'bb'.repeat(20)}`), pad('0x00')],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [opaque])),
    ...log,
  }
}

test('given deposits in several receipts, each has the source hash of its place in the block', () => {
  const stranger = depositLog({ address: `0x${'ee'.repeat(20)}` })
  const receipts = [{ logs: [stranger, depositLog()] }, { logs: [] }, { logs: [depositLog()] }]
  const deposits = userDeposits(PORTAL, L1_HASH, receipts).map(decodeTransaction)
  const expected = [1, 2].map((index) => {
    const inner = keccak256(concatHex([L1_HASH, numberToHex(index, { size: 32 })]))
    return keccak256(concatHex([numberToHex(0, { size: 32 }), inner]))
  })
  expect(deposits.map((deposit) => 'sourceHash' in deposit && deposit.sourceHash)).toEqual(expected)
})

test.each([
  ['a call', {}, { to: `0x${'bb'.repeat(20)}`, data: hexToBytes('0xc0ffee') }],
  ['a contract creation', { isCreation: true }, { to: null, data: hexToBytes('0xc0ffee') }],
  ['no data', { data: '0x' as const }, { data: new Uint8Array(0) }],
])('given %s, the deposit says so', (_name, changes, expected) => {
  const logs = [depositLog({ opaque: opaqueData(changes) })]
  const [raw] = userDeposits(PORTAL, L1_HASH, [{ logs }])
  const deposit = decodeTransaction(raw!)
  expect(deposit).toMatchObject({
    from: `0x${'aa'.repeat(20)}`,
    mint: 5n,
    value: 4n,
    gas: 100_000n,
  })
  expect(deposit).toMatchObject(expected)
})

test.each([
  ['another version', { topics: [...depositLog().topics.slice(0, 3), pad('0x01')] }],
  ['a missing topic', { topics: depositLog().topics.slice(0, 3) }],
  ['no data at all', { data: new Uint8Array(0) }],
  ['opaque data that is too short', { opaque: '0x00' as const }],
  [
    'an offset other than 32',
    { data: hexToBytes(concatHex([pad('0x40'), pad('0x49'), pad('0x', { size: 96 })])) },
  ],
  [
    'a length beyond the data',
    { data: hexToBytes(concatHex([pad('0x20'), pad('0x61'), pad('0x', { size: 96 })])) },
  ],
])('given a log of the portal with %s, it is an error', (_name, changes) => {
  expect(() => userDeposits(PORTAL, L1_HASH, [{ logs: [depositLog(changes)] }])).toThrow(
    expect.objectContaining({ code: 'DEPOSIT_LOG_MALFORMED' }),
  )
})
