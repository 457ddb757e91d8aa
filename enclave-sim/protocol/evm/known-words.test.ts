import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownWords } from './known-words.ts'

const LENGTH = { address: 20, hash: 32 }
/** Few values, so that words are met again; all others land where one of them may stand. */
const anyNumber = fc.oneof(fc.constantFrom(0, 1, 0xffffffff), fc.nat(0xffffffff))
const words = (numbers: number) =>
  fc.array(fc.array(anyNumber, { minLength: numbers, maxLength: numbers }), { minLength: 20 })

test.each(Object.entries(LENGTH))(
  'given any words, met once or again, then each is told as the number that it is: %s',
  (_, length) => {
    const known = new KnownWords(length)
    fc.assert(
      fc.property(words(length / 4), (given) => {
        for (const numbers of [...given, ...given]) {
          const value = numbers.reduceRight((sum, number) => (sum << 32n) | BigInt(number), 0n)
          // Something else stands before it.
          const memory = Uint32Array.from([7, ...numbers, ...new Array(8).fill(0)])
          expect(known.hex(memory, 1)).toBe(`0x${value.toString(16).padStart(2 * length, '0')}`)
        }
      }),
    )
  },
)

test('given more words than are kept, then each is told right, also after others have stood at its place', () => {
  const known = new KnownWords(32)
  for (let number = 0; number < 10_000; number++) {
    const memory = Uint32Array.of(number, 0, 0, 0, 0, 0, 0, 0)
    expect(known.hex(memory, 0)).toBe(`0x${number.toString(16).padStart(64, '0')}`)
  }
  expect(known.hex(new Uint32Array(8), 0)).toBe(`0x${'0'.repeat(64)}`)
})
