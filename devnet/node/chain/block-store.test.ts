import { describe, expect, it } from 'vitest'
import type { Block } from '../../../enclave-sim/protocol/types/block.ts'
import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { Transaction } from '../../../enclave-sim/protocol/types/transaction.ts'
import { MemoryBlockStore } from './block-store.ts'

const hash = (kind: string, number: number): Hash => `0x${kind}${number}`
const block = (number: number, fork = ''): Block =>
  ({
    hash: hash(`b${fork}`, number),
    header: { number: BigInt(number) },
    transactions: [{ hash: hash(`t${fork}`, number) } as Transaction],
  }) as Block

function chainOf(length: number): MemoryBlockStore {
  const store = new MemoryBlockStore()
  for (let number = 0; number < length; number++) store.append(block(number))
  return store
}

const kept = (store: MemoryBlockStore, length: number) =>
  Array.from({ length }, (_, number) => number).filter((number) => store.byNumber(BigInt(number)))

describe('the blocks in memory', () => {
  it('given old ones are forgotten, then genesis and the others stay, by number, hash and transaction', () => {
    const store = chainOf(10)
    store.forgetBelow(6n)
    expect(kept(store, 12)).toEqual([0, 6, 7, 8, 9])
    expect([0, 5, 6].map((number) => store.byHash(hash('b', number)) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
    expect([0, 5, 6].map((number) => store.findTransaction(hash('t', number))?.index)).toEqual([
      0,
      undefined,
      0,
    ])
    const forgotten = Array.from({ length: 12 }, (_, number) => store.isForgotten(BigInt(number)))
    expect(forgotten.flatMap((is, number) => (is ? [number] : []))).toEqual([1, 2, 3, 4, 5])
    store.append(block(10))
    expect(store.byNumber(10n)?.hash).toBe('0xb10')
  })

  it('given forgetting again what is gone, then nothing happens', () => {
    const store = chainOf(10)
    store.forgetBelow(6n)
    store.forgetBelow(3n)
    expect(kept(store, 10)).toEqual([0, 6, 7, 8, 9])
  })

  it('given blocks are removed, then others take their place', () => {
    const store = chainOf(10)
    store.forgetBelow(6n)
    expect(store.removeAbove(7n).map(({ header }) => header.number)).toEqual([9n, 8n])
    store.append(block(8, 'x'))
    expect(store.byNumber(8n)?.hash).toBe('0xbx8')
    expect(store.byHash('0xb8')).toBeUndefined()
    expect(store.findTransaction('0xt9')).toBeUndefined()
    expect(store.isForgotten(9n)).toBe(false)
  })

  it('given the chain goes back to genesis, then it begins anew from there', () => {
    const store = chainOf(10)
    store.forgetBelow(6n)
    store.removeAbove(0n)
    expect(kept(store, 12)).toEqual([0])
    expect(store.isForgotten(5n)).toBe(false)
    store.append(block(1, 'x'))
    expect(store.byNumber(1n)?.hash).toBe('0xbx1')
  })
})
