import type { HttpAnswer, HttpExchange, JsonObject, Mutant } from './mutant.ts'
import { mutantsOf } from './mutant.ts'

const [envelope, call] = [mutantsOf('envelope', 'rpc'), mutantsOf('call', 'rpc')]
const codes = mutantsOf('builder-codes', 'api')

const READS = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_getStorageAt']
/** Above this a number is kept without its last bit. */
const LARGE = 2 ** 48

function parse(text: string): JsonObject {
  try {
    return Object(JSON.parse(text)) as JsonObject
  } catch {
    return {}
  }
}

const answer = (status: number, body: JsonObject): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const INVALID = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid request' } }

/** Refuses the requests that fit. */
const refusing =
  (fits: (request: HttpExchange) => boolean, status = 200): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      return fits(request) ? answer(status, INVALID) : forward(request)
    },
  })

/** Takes some versions for the right one. */
const takingVersion =
  (isTaken: (version: unknown) => boolean): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const body = parse(request.body)
      if (!('jsonrpc' in body) || !isTaken(body.jsonrpc)) return forward(request)
      return forward({ ...request, body: JSON.stringify({ ...body, jsonrpc: '2.0' }) })
    },
  })

/** Takes a name for that of a method. */
const takingName =
  (fits: (name: string, method: string) => boolean): Mutant['apply'] =>
  () => ({
    call: (each) => ({
      ...each,
      method: READS.find((one) => fits(each.method, one)) ?? each.method,
    }),
  })

/** Tells some errors as failures of the server. */
const failing =
  (fits: (error: JsonObject) => boolean): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const reply = await forward(request)
      const { error } = parse(reply.body)
      return error && fits(error as JsonObject) ? { ...reply, status: 500 } : reply
    },
  })

const walletIn = ({ body }: HttpExchange) => String(parse(body).walletAddress)

/** Keeps a record by the first and the last digits of its wallet. */
const byItsEnds: Mutant['apply'] = () => {
  const kept = new Map<string, HttpAnswer>()
  return {
    async http(request, forward) {
      const reply = await forward(request)
      if (reply.status >= 300) return reply
      const wallet = walletIn(request).toLowerCase()
      const ends = `${wallet.slice(0, 14)}${wallet.slice(-12)}`
      const before = kept.get(ends)
      if (!before) kept.set(ends, reply)
      return before ?? reply
    },
  }
}

/** Mutants that read one way to write a request, and no other that is as good. */
export const SPELLING_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-01',
    'indented-refused',
    'Refuses a call with spaces',
    refusing(({ body }) => /^\s|\n/.test(body)),
  ),
  envelope(
    'RPC-ENV-01',
    'version-first',
    'Refuses a call whose first member is not jsonrpc',
    refusing(({ body }) => /^\{"(method|params|id)"/.test(body)),
  ),
  envelope(
    'RPC-ENV-03',
    'charset-refused',
    'Refuses a content type with a charset',
    refusing(({ headers }) => /charset/i.test(headers['content-type'] ?? ''), 415),
  ),
  envelope(
    'RPC-ENV-05',
    'escapes-refused',
    'Knows no method that is written with an escape',
    refusing(({ body }) => body.includes('\\u00')),
  ),
  envelope(
    'RPC-ENV-04',
    'number-version',
    'Takes the number 2 as jsonrpc',
    takingVersion((version) => version === 2),
  ),
  envelope(
    'RPC-ENV-04',
    'version-begins',
    'Takes every jsonrpc that begins with 2',
    takingVersion((version) => typeof version === 'string' && version.startsWith('2')),
  ),
  envelope(
    'RPC-ENV-04',
    'null-version',
    'Takes null as jsonrpc',
    takingVersion((version) => version === null),
  ),
  envelope(
    'RPC-ENV-05',
    'longer-names',
    'Takes a longer name for the method that it begins with',
    takingName((name, method) => name.startsWith(method)),
  ),
  envelope(
    'RPC-ENV-05',
    'bare-names',
    'Takes the name of a method without its namespace',
    takingName((name, method) => `eth_${name}` === method),
  ),
  envelope(
    'RPC-ENV-11',
    'no-method-500',
    'Answers an unknown method with HTTP 500',
    failing(({ code }) => code === -32601),
  ),
  envelope('RPC-ENV-07', 'even-ids', 'Answers a large id without its last bit', () => ({
    response(response, { id }) {
      return typeof id === 'number' && id > LARGE ? { ...response, id: id - (id % 2) } : response
    },
  })),
  call(
    'ERR-01',
    'revert-500',
    'Answers a revert with HTTP 500',
    failing(({ message }) => String(message).startsWith('execution reverted')),
  ),
  codes(
    'BC-06',
    'digits-refused',
    'Takes an address of digits alone for a number',
    refusing((request) => /^0x\d{40}$/.test(walletIn(request)), 400),
  ),
  codes('BC-08', 'zeros-lost', 'Gives an address without the zeros at its front', () => ({
    async http(request, forward) {
      const reply = await forward(request)
      return { ...reply, body: reply.body.replace(/"0x0{4,}/, '"0x') }
    },
  })),
  codes('BC-08', 'by-its-ends', 'Does not look at the middle of an address', byItsEnds),
]
