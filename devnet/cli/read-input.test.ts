import { expect, test } from 'vitest'
import { decodeText } from './read-input.ts'

const MEGABYTE = 1024 * 1024

test.each(['', '0x'])('given 8 MB of hex after %j, then it is 4 MB', (prefix) => {
  const decoded = decodeText(Buffer.from(prefix + 'ab'.repeat(4 * MEGABYTE)))
  expect(Buffer.alloc(4 * MEGABYTE, 0xab).equals(decoded)).toBe(true)
})

test.each([
  ['0xAb\n0c', 'ab0c'],
  ['0x', '3078'],
  ['0xabc', '3078616263'],
  ['c29tZSBtb3JlIGJ5dGVz', '736f6d65206d6f7265206279746573'],
  ['', ''],
])('given %j, then it stands for %s', (text, hex) => {
  expect(Buffer.from(decodeText(Buffer.from(text))).toString('hex')).toBe(hex)
})
