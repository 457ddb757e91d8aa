import type { HttpAnswer, HttpExchange, JsonObject, Mutant } from '../mutant.ts'

const answer = (status: number, body: JsonObject): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const INVALID = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid request' } }

/** Refuses the requests that fit. */
export const refusing =
  (fits: (request: HttpExchange) => boolean, status = 200): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      return fits(request) ? answer(status, INVALID) : forward(request)
    },
  })
