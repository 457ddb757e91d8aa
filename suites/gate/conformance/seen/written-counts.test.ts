import { expect, test } from 'vitest'
import type { Hex } from '../wire/hex.ts'
import { SeenAnswers } from './seen-answers.ts'
import { type CountedSelector, writtenCounts } from './written-counts.ts'

const NODE = 'http://node'
const SENT = [
  { hash: '0x0a' as Hex, taken: 0, wrote: 1n },
  { hash: '0x0b' as Hex, taken: 0, wrote: 3n },
]

/** Looks at blocks, one each ten milliseconds: number, the selector asked for, and transactions. */
function seenLooks(...looks: [selector: string, number: number, hashes: Hex[]][]): SeenAnswers {
  const seen = new SeenAnswers(NODE)
  for (const [index, [selector, number, transactions]] of looks.entries()) {
    const result = {
      number: `0x${number.toString(16)}`,
      hash: selector === 'pending' ? '0x00' : `0x1${number}`,
      parentHash: `0x1${number - 1}`,
      transactions,
    }
    const call = { id: index, method: 'eth_getBlockByNumber', params: [selector, false] }
    seen.take({
      transport: 'http',
      at: 10 * index,
      duration: 1,
      url: NODE,
      status: 200,
      request: JSON.stringify(call),
      response: JSON.stringify({ id: index, result }),
    })
  }
  return seen
}

const boundsAt = (moment: number, selector: CountedSelector, seen: SeenAnswers) => {
  const counts = writtenCounts({ seen, watched: { sent: SENT } }, selector)
  return [counts.before(moment), counts.after(moment)]
}

test('given writes in two blocks, when the newest is looked at, then it has what was written until then', () => {
  const seen = seenLooks(['latest', 4, ['0x0a']], ['latest', 5, []], ['latest', 6, ['0x0b']])
  expect(boundsAt(5, 'latest', seen)).toEqual([1n, 1n])
  expect(boundsAt(15, 'latest', seen)).toEqual([1n, 3n])
})

test('given a safe block from before the first write, then nothing is written in it, however far it lies behind', () => {
  const seen = seenLooks(['safe', 1, []], ['latest', 4, ['0x0a']], ['safe', 1, []])
  expect(boundsAt(15, 'safe', seen)).toEqual([0n, 0n])
})

test('given a block before which one was not seen, then nobody knows what is written in it', () => {
  const seen = seenLooks(['latest', 4, ['0x0a']], ['latest', 6, []])
  expect(boundsAt(5, 'latest', seen)).toEqual([1n, undefined])
})

test('given a first write that was not seen, then nobody knows where the slot was empty', () => {
  const seen = seenLooks(['safe', 1, []], ['latest', 4, ['0x0b']], ['safe', 1, []])
  expect(boundsAt(5, 'safe', seen)).toEqual([0n, undefined])
})

test('given a pending block upon a counted one, then its own write counts, or else that below', () => {
  const seen = seenLooks(['latest', 4, ['0x0a']], ['pending', 5, []], ['pending', 5, ['0x0b']])
  expect(boundsAt(15, 'pending', seen)).toEqual([1n, 3n])
})
