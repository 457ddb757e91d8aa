import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatEndpoint, parseEndpoint } from './endpoint.ts'

describe('an endpoint', () => {
  test('given a UNIX socket, then colons of its path are kept', () => {
    expect(parseEndpoint('unix:/tmp/a:b/vsock:8000')).toEqual({
      kind: 'unix',
      path: '/tmp/a:b/vsock',
      port: 8000,
    })
  })

  test('given any endpoint, then it survives formatting and parsing', () => {
    const uint32 = fc.nat(0xffffffff)
    const endpoint = fc.oneof(
      fc.record({ kind: fc.constant('vsock' as const), cid: uint32, port: uint32 }),
      fc.record({
        kind: fc.constant('unix' as const),
        path: fc.stringMatching(/^\/[a-z:/.-]{1,100}$/),
        port: uint32,
      }),
    )
    fc.assert(
      fc.property(endpoint, (original) => {
        expect(parseEndpoint(formatEndpoint(original))).toEqual(original)
      }),
    )
  })

  test.each([
    '',
    'unix::8000',
    'unix:/tmp/x',
    'vsock:16',
    'vsock:-1:8000',
    'vsock:4294967296:8000',
    'vsock:16:4294967296',
    'tcp:1:2',
    `unix:/${'a'.repeat(107)}:8000`,
  ])('given %j, then it is refused', (text) => {
    expect(() => parseEndpoint(text)).toThrow('is not an enclave endpoint')
  })
})
