import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { type AccessOptions, accessRefusal, corsHeaders, encodingRefusal } from './guard-access.ts'

const request = (headers: IncomingHttpHeaders, localAddress = '127.0.0.1') =>
  ({ headers, rawHeaders: [] as string[], socket: { localAddress } }) as IncomingMessage
const withHost = (host: string, access?: AccessOptions, localAddress?: string) =>
  accessRefusal(request({ host }, localAddress), access)?.message
const withOrigin = (origin: string, access?: AccessOptions) =>
  accessRefusal(request({ host: 'localhost:8545', origin }), access)?.message

test.each([
  'localhost',
  'localhost:8545',
  'app.localhost:1',
  '127.0.0.1:8545',
  '127.9.9.9',
  '[::1]:8545',
])('given the loopback name %s, then it is served', (host) => {
  expect(withHost(host)).toBeUndefined()
})

test.each([
  'rebound.example:8545',
  'localhost.example',
  '127.0.0.1.example',
  '10.0.0.7',
  '',
  'a b',
  '[::2]',
])('given the name %j, then it is refused with the flag that would allow it', (host) => {
  expect(withHost(host)).toMatch(/^HOST_REFUSED: .*--allow-host/)
  expect(withHost(host, { allowHosts: ['*'] })).toBeUndefined()
})

test('given the address it was told to listen on, or a name it was told, then a service is called by it', () => {
  expect(withHost('10.0.0.7:80', {}, '10.0.0.7')).toBeUndefined()
  expect(withHost('10.0.0.7:80', {}, '::ffff:10.0.0.7')).toBeUndefined()
  expect(withHost('[fd00::1]:80', {}, 'fd00::1')).toBeUndefined()
  expect(withHost('devbox.lan:80', { allowHosts: ['Devbox.lan'] })).toBeUndefined()
  expect(withHost('other.lan', { allowHosts: ['devbox.lan'] })).toMatch(/HOST_REFUSED/)
})

test('given two Host fields, however they are written, then the request is refused as malformed', () => {
  const twice = request({ host: 'localhost' })
  twice.rawHeaders = ['Host', 'localhost', 'x-a', 'host', 'hOST', 'localhost']
  expect(accessRefusal(twice, { allowHosts: ['*'] })).toMatchObject({ status: 400 })
  twice.rawHeaders = ['Host', 'localhost', 'x-a', 'host']
  expect(accessRefusal(twice)).toBeUndefined()
})

test('given a body that is packed, then it is not read; one that says it is not packed is', () => {
  for (const encoding of ['gzip', 'br', 'identity, gzip', 'x\u001b'])
    expect(encodingRefusal({ 'content-encoding': encoding })).toMatchObject({ status: 415 })
  for (const encoding of [undefined, '', 'identity'])
    expect(encodingRefusal({ 'content-encoding': encoding })).toBeUndefined()
})

test.each([
  'http://localhost:3000',
  'https://localhost',
  'http://dapp.localhost:1234',
  'http://127.0.0.1:5173',
  'http://[::1]:80',
  'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
  'moz-extension://6f7d3a10-5a0c-4d86-9c1f-0a1b2c3d4e5f',
])('given a page of %s, then it may call', (origin) => {
  expect(withOrigin(origin)).toBeUndefined()
})

test.each([
  'https://evil.example',
  'http://localhost.evil.example',
  'https://evil.example?http://localhost',
  'null',
  '',
  'file://',
  'localhost',
  'ftp://localhost',
])('given a page of %j, then it may not call unless every page may', (origin) => {
  expect(withOrigin(origin)).toMatch(/^ORIGIN_REFUSED: .*--allow-origin/)
  expect(withOrigin(origin, { allowOrigins: ['*'] })).toBeUndefined()
})

test('given an origin that is allowed by name, then it gets in, and no other', () => {
  const access = { allowOrigins: ['https://preview.example'] }
  expect(withOrigin('https://preview.example', access)).toBeUndefined()
  expect(withOrigin('http://preview.example', access)).toMatch(/ORIGIN_REFUSED/)
  expect(withOrigin('https://preview.example:8443', access)).toMatch(/ORIGIN_REFUSED/)
})

test('given what cannot be printed, then a refusal repeats only what can', () => {
  const refusal = withOrigin(`http://evil\n\u001b[31m${'x'.repeat(500)}`)
  expect(refusal).toMatch(/^[ -~]*$/)
  expect(refusal!.length).toBeLessThan(300)
})

test('given a preflight for a private network, then only origins that are allowed by name get the grant', () => {
  const preflight = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-private-network': 'true',
  })
  const granted = (origin: string, allowOrigins: string[]) =>
    corsHeaders(preflight(origin), { allowOrigins })['access-control-allow-private-network']
  expect(granted('http://localhost:3000', [])).toBeUndefined()
  expect(granted('http://localhost:3000', ['https://preview.example'])).toBeUndefined()
  expect(granted('https://preview.example', ['https://preview.example'])).toBe('true')
})
