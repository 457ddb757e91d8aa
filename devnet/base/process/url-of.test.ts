import { expect, test } from 'vitest'
import { urlOf } from './url-of.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8545/'],
  ['localhost', 'http://localhost:8545/'],
  ['::1', 'http://[::1]:8545/'],
  ['::', 'http://[::]:8545/'],
])('given a service on %s, then its URL can be read', (host, url) => {
  expect(new URL(urlOf(host, 8545)).href).toBe(url)
  expect(new URL(urlOf(host, 8545, 'ws')).href).toBe(url.replace('http', 'ws'))
})
