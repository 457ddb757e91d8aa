import { expect, test } from 'vitest'
import { parsePlainCall } from './parse-plain-call.ts'

const LINE = 'POST / HTTP/1.1'
const head = (...fields: string[]) => [LINE, ...fields].join('\r\n')
const PLAIN = ['Host: localhost:8545', 'Content-Type: application/json', 'Content-Length: 12']

test('given the heads that clients send, then path, host and length are read', () => {
  const plain = { path: '/', host: 'localhost:8545', length: 12 }
  expect(parsePlainCall(head(...PLAIN))).toEqual(plain)
  expect(parsePlainCall(head(...PLAIN, 'Accept: */*', 'User-Agent: viem/2 (x)'))).toEqual(plain)
  expect(parsePlainCall(head(...PLAIN, 'connection: keep-alive'))).toEqual(plain)
  const odd = ['HOST:localhost:8545', 'content-type:\tapplication/json; charset=UTF-8 ']
  expect(parsePlainCall(head(...odd, 'content-length: 12 '))).toEqual(plain)
})

test('given a call at a view of the chain, then its path is read', () => {
  const call = ['POST /branch/7-a HTTP/1.1', ...PLAIN].join('\r\n')
  expect(parsePlainCall(call)?.path).toBe('/branch/7-a')
})

test.each([
  ['another method', ['GET / HTTP/1.1', ...PLAIN]],
  ['a query', ['POST /?a HTTP/1.1', ...PLAIN]],
  ['a whole URL', ['POST http://localhost:8545/ HTTP/1.1', ...PLAIN]],
  ['HTTP/1.0', ['POST / HTTP/1.0', ...PLAIN]],
  ['no host', [LINE, ...PLAIN.slice(1)]],
  ['no length', [LINE, ...PLAIN.slice(0, 2)]],
  ['no type', [LINE, PLAIN[0]!, PLAIN[2]!]],
  ['another type', [LINE, PLAIN[0]!, 'Content-Type: text/plain', PLAIN[2]!]],
  ['two lengths', [LINE, ...PLAIN, 'content-length: 13']],
  ['two hosts', [LINE, ...PLAIN, 'Host: localhost']],
  ['a length with a sign', [LINE, PLAIN[0]!, PLAIN[1]!, 'Content-Length: +12']],
  ['a list as length', [LINE, PLAIN[0]!, PLAIN[1]!, 'Content-Length: 12, 12']],
  ['chunks', [LINE, ...PLAIN, 'Transfer-Encoding: chunked']],
  ['a page', [LINE, ...PLAIN, 'Origin: http://localhost']],
  ['a wish to be asked first', [LINE, ...PLAIN, 'Expect: 100-continue']],
  ['a wish to leave', [LINE, ...PLAIN, 'Connection: close']],
  ['a folded line', [LINE, ...PLAIN, ' more: of it']],
  ['a space before the colon', [LINE, ...PLAIN, 'Transfer-Encoding : chunked']],
  ['a bare line feed', [LINE, ...PLAIN, 'X: a\nTransfer-Encoding: chunked']],
  ['a field without a name', [LINE, ...PLAIN, ': x']],
])('given %s, then it is left to an HTTP server', (_, lines) => {
  expect(parsePlainCall(lines.join('\r\n'))).toBeUndefined()
})
