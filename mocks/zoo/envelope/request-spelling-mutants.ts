import { type Mutant, mutantsOf } from '../mutant.ts'
import { parseMembers } from '../parts/parse-json.ts'
import { refusing } from '../parts/refusing.ts'

const envelope = mutantsOf('envelope', 'rpc')

const READS = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_getStorageAt']

/** Takes some versions for the right one. */
const takingVersion =
  (isTaken: (version: unknown) => boolean): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const body = parseMembers(request.body)
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

/** Mutants that read one way to write a request, and no other that is as good, or ways that are none. */
export const REQUEST_SPELLING_MUTANTS: readonly Mutant[] = [
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
  envelope('RPC-ENV-05', 'names-in-any-case', 'Takes a method in any letter case', () => ({
    call(call) {
      const known = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_getStorageAt']
      const method = known.find((each) => each.toLowerCase() === call.method.toLowerCase())
      return { ...call, method: method ?? call.method }
    },
  })),
  envelope('RPC-ENV-05', 'names-of-objects', 'Takes what every object has for a method', () => ({
    call: (call) =>
      call.method in {} ? { reply: { jsonrpc: '2.0', id: call.id, result: null } } : call,
  })),
]
