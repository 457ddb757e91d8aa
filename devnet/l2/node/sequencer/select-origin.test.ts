import { describe, expect, it } from 'vitest'
import type { L1Header } from '#protocol/derivation/l1-header'
import { selectOrigin } from './select-origin.ts'

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const

function l1(number: number, timestamp: number): L1Header {
  return {
    hash: hash(number),
    parentHash: hash(number - 1),
    number: BigInt(number),
    timestamp: BigInt(timestamp),
    transactionsRoot: hash(0),
    receiptsRoot: hash(0),
    logsBloom: new Uint8Array(256),
    mixHash: hash(0),
    baseFee: 1n,
    blobBaseFee: 1n,
    parentBeaconBlockRoot: hash(0),
  }
}

const fork = { ...l1(8, 112), parentHash: hash(99) }

/** Parent: origin 7 at 100 s, third block of its epoch. Drift: 50 s. */
describe('the origin of an L2 block', () => {
  it.each([
    ['stays while no newer L1 block is known', 110, undefined, 7n, 0n, [7n, true]],
    ['moves on when the next L1 block is in the past', 112, l1(8, 110), 8n, 0n, [8n, true]],
    ['moves on when the next L1 block has its very time', 112, l1(8, 112), 8n, 0n, [8n, true]],
    ['stays while the next L1 block is in its future', 110, l1(8, 112), 8n, 0n, [7n, true]],
    ['stays while too few blocks lie on the next', 112, l1(8, 112), 9n, 2n, [7n, true]],
    ['moves on when enough blocks lie on the next', 112, l1(8, 112), 10n, 2n, [8n, true]],
    ['stays when the next L1 block is of another L1 fork', 112, fork, 8n, 0n, [7n, true]],
    ['keeps its users up to the drift', 150, undefined, 7n, 0n, [7n, true]],
    ['has no users beyond the drift', 152, undefined, 7n, 0n, [7n, false]],
    ['moves on beyond the drift whatever the depth', 152, l1(8, 112), 8n, 4n, [8n, true]],
    ['has no users if even the next is too old', 164, l1(8, 112), 8n, 0n, [8n, false]],
  ] as const)('then it %s', (_, timestamp, next, l1Head, confDepth, expected) => {
    const { origin, allowsTransactions } = selectOrigin({
      parent: { origin: l1(7, 100) },
      next,
      l1Head,
      timestamp: BigInt(timestamp),
      maxSequencerDrift: 50n,
      confDepth,
    })
    expect([origin.number, allowsTransactions]).toEqual(expected)
  })
})
