import { expect, test } from 'vitest'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { expectDifferent, expectEqual, expectThat } from './expect-equal.ts'
import { expectError, expectNoResult } from './expect-error.ts'
import { expectForm } from './expect-form.ts'
import { expectAddress, expectBytes, expectHash, expectQuantity } from './expect-hex.ts'
import {
  expectArray,
  expectExactKeys,
  expectKeys,
  expectObject,
  expectString,
} from './expect-shape.ts'
import { failureOf } from './failure-of.ts'

const refused = { error: { code: -32602, message: 'no' }, id: 1, jsonrpc: '2.0' }
const wantedError = (code: unknown) => ({
  error: { code, message: 'a string' },
  result: '(absent)',
})

/** What a reader of a report is shown: the place, what was expected, what came, and a hint. */
test.each<[string, () => void, unknown, unknown, string?]>([
  ['quantity', () => expectQuantity('1', 'x'), 'a 0x hex quantity', '1'],
  ['hash', () => expectHash('0x1', 'x'), 'a 0x hash of 32 bytes', '0x1'],
  ['address', () => expectAddress(7, 'x'), 'a 0x address of 20 bytes', 7],
  ['bytes', () => expectBytes('0x1', 'x'), '0x hex bytes', '0x1'],
  ['bytes of a length', () => expectBytes('0x11', 'x', 2), '2 bytes as 0x hex', '0x11'],
  ['no bytes of a length', () => expectBytes(null, 'x', 2), '2 bytes as 0x hex', null],
  ['boolean', () => expectForm('true', 'boolean', 'x'), 'a boolean', 'true'],
  ['object', () => expectObject([], 'x'), 'an object', []],
  ['array', () => expectArray({}, 'x'), 'an array', {}],
  ['string', () => expectString(1, 'x'), 'a string', 1],
  ['equal', () => expectEqual(1, 2, 'x'), 2, 1],
  ['equal, with a hint', () => expectEqual(1, 2, 'x', 'why'), 2, 1, 'why'],
  ['different', () => expectDifferent(1, 1, 'x'), { not: 1 }, 1],
  ['different, with a hint', () => expectDifferent(1, 1, 'x', 'why'), { not: 1 }, 1, 'why'],
  ['condition', () => expectThat(false, 'in words', 3, 'x'), 'in words', 3],
  ['condition, with a hint', () => expectThat(false, 'words', 3, 'x', 'why'), 'words', 3, 'why'],
  [
    'missing keys',
    () => expectKeys({ z: 1, c: 1 }, ['d', 'c', 'b'], 'x'),
    ['b', 'c', 'd'],
    ['c', 'z'],
    'Missing: d, b.',
  ],
  [
    'extra keys',
    () => expectExactKeys({ z: 1, y: 1, b: 1, a: 1 }, ['b', 'a'], 'x'),
    ['a', 'b'],
    ['a', 'b', 'y', 'z'],
    'Not in the spec: z, y.',
  ],
  [
    'missing keys, where none may be more',
    () => expectExactKeys({ z: 1 }, ['a'], 'x'),
    ['a'],
    ['z'],
    'Missing: a.',
  ],
  ['error', () => expectError(reply({ result: 1 }), 'x'), wantedError('a number'), { result: 1 }],
  ['error of a code', () => expectError(reply(refused), 'x', 3), wantedError(3), refused],
  [
    'error object',
    () => expectError(reply({ error: 5 }), 'x'),
    wantedError('a number'),
    { error: 5 },
  ],
  [
    'error, where no JSON came',
    () => expectError(noJson(`${'e'.repeat(200)}f`), 'x'),
    wantedError('a number'),
    `HTTP 502: ${'e'.repeat(200)}`,
  ],
  ['no result', () => expectNoResult(reply({ result: 1 }), 'x'), 'no result', { result: 1 }],
])('given no %s, it is shown with what came instead', (_what, match, expected, actual, hint) => {
  const { at, ...failure } = failureOf(match)
  expect({ at, expected: failure.expected, actual: failure.actual, hint: failure.hint }).toEqual({
    at: 'x',
    expected,
    actual,
    hint,
  })
})

test('given an array that is too long, its length is what is wrong', () => {
  expect(expectArray([1, 2], 'x', 2)).toEqual([1, 2])
  expect(failureOf(() => expectArray([1], 'x', 2))).toMatchObject({
    at: 'x.length',
    expected: 2,
    actual: 1,
  })
})

test.each([
  ['quantity', expectQuantity, '0x1'],
  ['hash', expectHash, `0x${'0a'.repeat(32)}`],
  ['address', expectAddress, `0x${'0a'.repeat(20)}`],
  ['bytes', expectBytes, '0x00'],
] as const)('given a %s with something around it, it is none', (_what, match, value) => {
  match(value, 'x')
  for (const wrong of [` ${value}`, `a${value}`, `${value}\n`, `${value} `, `${value}g`]) {
    expect(failureOf(() => match(wrong, 'x')).actual).toBe(wrong)
  }
})

test('given an error whose code has a fraction, it is none', () => {
  const wrong = { error: { code: 1.5, message: 'no' } }
  expect(failureOf(() => expectError(reply(wrong), 'x')).actual).toBe(wrong)
})

function reply(json: Record<string, unknown>): RpcReply {
  const contentType = 'application/json'
  const http = { status: 200, contentType, text: JSON.stringify(json), json }
  return { body: json, http }
}

function noJson(text: string): RpcReply {
  return { body: {}, http: { status: 502, contentType: undefined, text, json: undefined } }
}
