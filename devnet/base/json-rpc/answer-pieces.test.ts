import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { answerPieces, PIECE } from './answer-pieces.ts'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import type { JsonRpcServer } from './json-rpc-server.ts'

const servers: JsonRpcServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const PLAIN = 'x'.repeat(3 * PIECE)
/** Too long to be joined to its head, too short for pieces. */
const APART = 'x'.repeat(PIECE / 2)
/** The border between the first two pieces lies in the middle of a character. */
const TORN = `${'x'.repeat(PIECE - 1)}😀${'é'.repeat(PIECE)}`

test.each([
  ['plain characters', PLAIN],
  ['a character on the border', TORN],
  ['nothing', ''],
])('given %s, then the pieces are the text, and none is long', (_what, text) => {
  const pieces = [...answerPieces(text)]
  expect(Buffer.concat(pieces).equals(Buffer.from(text))).toBe(true)
  for (const piece of pieces) expect(piece.toString().length).toBeLessThanOrEqual(PIECE + 1)
})

describe.each([
  ['on the fast lane', (body: string) => body],
  // In chunks: only node:http reads them.
  ['by node:http', (body: string) => new Blob([body]).stream()],
])('given a long answer %s', (_where, bodyOf) => {
  test.each([
    ['plain characters', PLAIN],
    ['a character on the border', TORN],
    ['half a piece', APART],
    ['half a piece of other characters', `${APART}é`],
  ])('when it has %s, then it comes whole, and the connection goes on', async (_what, text) => {
    const server = createJsonRpcServer({ methods: { say: () => text }, clock: systemClock })
    servers.push(server)
    const url = `http://127.0.0.1:${await server.listen({ port: 0 })}`
    for (const id of [1, 2]) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodyOf(JSON.stringify({ jsonrpc: '2.0', id, method: 'say' })),
        duplex: 'half',
      } as RequestInit)
      const { result } = (await answer.json()) as { result: string }
      expect(result === text).toBe(true)
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(Buffer.byteLength(text))
    }
  })
})
