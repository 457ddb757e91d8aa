import { describe, expect, it, test } from 'vitest'
import { CaseFailure } from '../case-failure.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { expectDifferent, expectEqual, expectThat } from './expect-equal.ts'
import { expectError, expectNoResult } from './expect-error.ts'
import { expectForm } from './expect-form.ts'
import { expectAddress, expectBytes, expectHash, expectQuantity } from './expect-hex.ts'
import { expectJsonType } from './expect-json-type.ts'
import {
  expectArray,
  expectExactKeys,
  expectKeys,
  expectObject,
  expectString,
} from './expect-shape.ts'
import { failureOf } from './failure-of.ts'

const HASH = `0x${'0a'.repeat(32)}`
const ADDRESS = `0x${'aB'.repeat(20)}`

/** Runs every value through a matcher and lists those it let through. */
function accepted(matcher: (value: unknown) => unknown, values: readonly unknown[]): unknown[] {
  return values.filter((value) => {
    try {
      matcher(value)
      return true
    } catch (error) {
      if (error instanceof CaseFailure) return false
      throw error
    }
  })
}

describe('expectQuantity', () => {
  it('given quantities, then only canonical ones are accepted (RPC-ENV-12)', () => {
    const good = ['0x0', '0x1', '0xff', '0x10']
    const bad = [
      '0x',
      '0x00',
      '0x01',
      '0xFF',
      '1',
      1,
      null,
      undefined,
      '',
      'ff',
      '0xg',
      ' 0x1',
      '0x1\n',
    ]
    expect(accepted((value) => expectQuantity(value, 'x'), [...good, ...bad])).toEqual(good)
    expect(expectQuantity('0xff', 'x')).toBe(255n)
  })
})

describe('expectHash', () => {
  it('given hashes, then only 32 bytes are accepted (RPC-ENV-13)', () => {
    const bad = [HASH.slice(0, -1), `${HASH}0`, HASH.slice(2), HASH.toUpperCase(), null, 5, '0x0']
    expect(accepted((value) => expectHash(value, 'x'), [HASH, ...bad])).toEqual([HASH])
  })
})

describe('expectAddress', () => {
  it('given addresses, then 20 bytes are accepted in any letter case and come back in lower case (RPC-ENV-14)', () => {
    const padded = `0x${'00'.repeat(12)}${'ab'.repeat(20)}`
    expect(accepted((value) => expectAddress(value, 'x'), [ADDRESS, padded, null, '0x'])).toEqual([
      ADDRESS,
    ])
    expect(expectAddress(ADDRESS, 'x')).toBe(ADDRESS.toLowerCase())
  })
})

describe('expectBytes', () => {
  it('given bytes, then only whole ones are accepted, and the length asked for', () => {
    const values = ['0x', '0x00', '0x0', '00', null, ['0x']]
    expect(accepted((value) => expectBytes(value, 'x'), values)).toEqual(['0x', '0x00'])
    expect(accepted((value) => expectBytes(value, 'x', 1), values)).toEqual(['0x00'])
  })
})

describe('expectForm', () => {
  it.each([
    ['quantity', '0x1', '0x01'],
    ['hash', HASH, ADDRESS],
    ['address', ADDRESS, HASH],
    ['bytes', '0x', '0x1'],
    ['nonce', '0x0000000000000000', '0x0'],
    ['bloom', `0x${'00'.repeat(256)}`, '0x00'],
    ['list', [], null],
    ['boolean', false, 'false'],
  ] as const)('given a %s, then it is told from another value', (form, good, bad) => {
    expect(accepted((value) => expectForm(value, form, 'x'), [good, bad])).toEqual([good])
  })
})

describe('expectEqual, expectDifferent and expectThat', () => {
  it('given JSON values, then they are compared whatever the order of members', () => {
    expectEqual({ a: 1, b: [2] }, { b: [2], a: 1 }, 'x')
    expect(() => expectEqual({ a: 1 }, { a: '1' }, 'x')).toThrow(CaseFailure)
    expect(() => expectEqual(null, undefined, 'x')).toThrow(CaseFailure)
    expectDifferent(1, 2, 'x')
    expect(() => expectDifferent([1], [1], 'x')).toThrow(CaseFailure)
    expectThat(true, 'true', 0, 'x')
    expect(() => expectThat(false, 'true', 0, 'x')).toThrow(CaseFailure)
  })

  it('given a failure, then it keeps what was expected, what came and where', () => {
    const failure = failureOf(() => expectEqual(1, 2, 'result.number', 'count again'))
    expect(failure).toMatchObject({
      at: 'result.number',
      expected: 2,
      actual: 1,
      hint: 'count again',
    })
  })
})

describe('shape matchers', () => {
  it('given objects, arrays and strings, then they are told apart', () => {
    const values = [{}, [], null, 'x', 1, undefined]
    expect(accepted((value) => expectObject(value, 'x'), values)).toEqual([{}])
    expect(accepted((value) => expectArray(value, 'x'), values)).toEqual([[]])
    expect(accepted((value) => expectString(value, 'x'), values)).toEqual(['x'])
    expect(() => expectArray([1], 'x', 2)).toThrow(CaseFailure)
  })

  it('given a missing member, or one too many, then it is named', () => {
    expectKeys({ a: 1, b: null }, ['a', 'b'], 'x')
    expect(failureOf(() => expectKeys({ a: 1 }, ['a', 'b'], 'x')).hint).toContain('b')
    expectExactKeys({ a: 1 }, ['a'], 'x')
    expect(failureOf(() => expectExactKeys({ a: 1, c: 1 }, ['a'], 'x')).hint).toContain('c')
  })
})

describe('expectError', () => {
  const good = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'execution reverted' } }

  it('given an error, then a numeric code and a message with no result are accepted (RPC-ENV-11)', () => {
    const bad = [
      { ...good, result: null },
      { ...good, error: { code: '-32000', message: 'x' } },
      { ...good, error: { code: -32000 } },
      { ...good, error: 'execution reverted' },
      { ...good, error: null },
      { result: 1 },
      {},
    ]
    expect(accepted((value) => expectError(reply(value), 'x'), [good, ...bad])).toEqual([good])
  })

  it('given a code, then it is insisted on', () => {
    expectError(reply(good), 'x', -32000)
    expect(() => expectError(reply(good), 'x', 3)).toThrow(CaseFailure)
  })

  it('given the weaker form, then only a result is refused', () => {
    const values = [good, {}, { result: null }, { result: 1 }]
    expect(accepted((value) => expectNoResult(reply(value), 'x'), values)).toEqual([good, {}])
  })
})

test('given the types of replies, then those of JSON are taken, with parameters or a name of their own', () => {
  const json = ['application/json', 'Application/JSON; charset=utf-8', 'application/json-rpc']
  const others = ['text/html', 'application/jsonp', 'application/javascript', undefined]
  const types = [...json, 'application/problem+json', ...others]
  const typed = (contentType: unknown) =>
    expectJsonType({ ...reply({}).http, contentType: contentType as string | undefined }, 'x')
  expect(accepted(typed, types)).toEqual([...json, 'application/problem+json'])
})

function reply(json: unknown): RpcReply {
  const contentType = 'application/json'
  const http = { status: 200, contentType, text: JSON.stringify(json), json }
  return { body: json as Record<string, unknown>, http }
}
