import { hexToBytes } from '@ethereumjs/util'
import { encodeAbiParameters, type Hex, keccak256, numberToHex, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Log } from '../types/block.ts'
import type { SystemConfig } from './rollup-config.ts'
import { applyConfigUpdates } from './system-config-update.ts'

const CONTRACT = `0x${'5c'.repeat(20)}` as const
const TOPIC = keccak256(toHex('ConfigUpdate(uint256,uint8,bytes)'))
const OLD: SystemConfig = {
  batcherAddress: `0x${'01'.repeat(20)}`,
  gasLimit: 30_000_000n,
  scalar: `0x01${'00'.repeat(31)}`,
  eip1559Denominator: 250,
  eip1559Elasticity: 6,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 0,
}
const SCALAR = `0x01${'00'.repeat(23)}0000000200000003` as const

function configLog(type: number, content: Hex, changes: Partial<Log> = {}): Log {
  return {
    address: CONTRACT,
    topics: [TOPIC, pad('0x00'), numberToHex(type, { size: 32 })],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [content])),
    ...changes,
  }
}
const word = (value: bigint) => numberToHex(value, { size: 32 })
const apply = (...logs: Log[]) => applyConfigUpdates(OLD, CONTRACT, [{ logs }])

/** OP specs, System Config, Holocene, Isthmus, Jovian. */
test.each<[string, number, Hex, Partial<SystemConfig>]>([
  ['a batcher', 0, pad(`0x${'ba'.repeat(20)}`), { batcherAddress: `0x${'ba'.repeat(20)}` }],
  [
    'fee scalars',
    1,
    encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes32' }], [9n, SCALAR]),
    { scalar: SCALAR },
  ],
  ['a gas limit', 2, word(60_000_000n), { gasLimit: 60_000_000n }],
  [
    'fee market parameters',
    4,
    word((50n << 32n) | 10n),
    { eip1559Denominator: 50, eip1559Elasticity: 10 },
  ],
  ['operator fees', 5, word((7n << 64n) | 8n), { operatorFeeScalar: 7, operatorFeeConstant: 8n }],
  ['a minimum base fee', 6, word(1_000_000n), { minBaseFee: 1_000_000n }],
  ['a DA footprint scalar', 7, word(148n), { daFootprintGasScalar: 148 }],
])('given an update of %s, just that changes', (_name, type, content, changed) => {
  expect(apply(configLog(type, content))).toEqual({ ...OLD, ...changed })
})

test('given several updates of one thing, the last one holds', () => {
  const updates = [1n, 2n, 3n].map((value) => configLog(2, word(value)))
  expect(apply(...updates).gasLimit).toBe(3n)
})

test.each<[string, Log]>([
  ['the unsafe block signer', configLog(3, pad('0xaa'))],
  ['an unknown type', configLog(8, word(1n))],
  [
    'a type beyond any number',
    configLog(2, word(1n), { topics: [TOPIC, pad('0x00'), `0x${'ff'.repeat(32)}`] }),
  ],
  ['another version', configLog(2, word(1n), { topics: [TOPIC, pad('0x01'), pad('0x02')] })],
  ['a missing topic', configLog(2, word(1n), { topics: [TOPIC, pad('0x00')] })],
  ['another contract', configLog(2, word(1n), { address: `0x${'ee'.repeat(20)}` })],
  ['a content of two words', configLog(2, `0x${'00'.repeat(64)}`)],
  ['no content', configLog(2, '0x')],
  ['a gas limit of 65 bits', configLog(2, word(1n << 64n))],
  ['a DA footprint scalar of 17 bits', configLog(7, word(1n << 16n))],
  ['a batcher that is no address', configLog(0, word(1n << 200n))],
  ['a scalar of version 2', configLog(1, `0x${'00'.repeat(32)}02${'00'.repeat(31)}`)],
  [
    'a scalar with something in its padding',
    configLog(1, `0x${'00'.repeat(32)}0101${'00'.repeat(30)}`),
  ],
  ['data without its head', configLog(2, word(1n), { data: new Uint8Array(32) })],
])('given %s, nothing changes', (_name, log) => {
  expect(apply(log)).toEqual(OLD)
})
