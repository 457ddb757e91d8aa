import { behind } from '#mocks/host/host-changes'
import { hostMutant } from '../host-mutant.ts'
import type {
  Forward,
  HttpAnswer,
  HttpExchange,
  JsonObject,
  Mutant,
  MutantHooks,
} from '../mutant.ts'
import { without } from '../rewrites.ts'

const IS_VALID_SIGNER = /d5f50582/
const TRUE = `0x${'0'.repeat(63)}1`
const FALSE = `0x${'0'.repeat(64)}`
/** Milliseconds. */
const PATIENCE = 1_500

const registry = (
  rule: string,
  name: string,
  says: string,
  change: (response: JsonObject) => JsonObject,
) =>
  hostMutant(rule, name, says, ({ clock }) =>
    behind('--l1-rpc-url', clock, () => ({
      response: (response, { params }) =>
        IS_VALID_SIGNER.test(JSON.stringify(params)) ? change(response) : response,
    })),
  )

const answered = ({ body }: HttpExchange, result: string): HttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as JsonObject).id, result }),
})

/** What a registry says that lets one wait. */
const impatient = (result: string) =>
  hostMutantBehind((after) => ({
    async http(request: HttpExchange, forward: Forward) {
      if (!IS_VALID_SIGNER.test(request.body)) return forward(request)
      const late = Promise.withResolvers<HttpAnswer>()
      after(PATIENCE, () => late.resolve(answered(request, result)))
      return Promise.race([forward(request), late.promise])
    },
  }))

const hostMutantBehind =
  (make: (after: (delay: number, then: () => void) => unknown) => MutantHooks) =>
  (rule: string, name: string, says: string) =>
    hostMutant(rule, name, says, ({ clock }) =>
      behind('--l1-rpc-url', clock, () => make((delay, then) => clock.after(delay, then))),
    )

/** What the registry said last of a signer stands for what it does not say now. */
const remembering = (): MutantHooks => {
  const known = new Map<string, unknown>()
  return {
    response(response, { params }) {
      const asked = JSON.stringify(params)
      if (!IS_VALID_SIGNER.test(asked)) return response
      if ('result' in response) known.set(asked, response.result)
      if ('result' in response || !known.has(asked)) return response
      return { ...without(response, 'error'), result: known.get(asked) }
    },
  }
}

const wordOf = ({ result }: JsonObject) => String(result ?? '')

/** Mutants that misread what the registry says of a signer, or do not wait for it. */
export const HOST_REGISTRY_MUTANTS: readonly Mutant[] = [
  registry(
    'SAFE-10',
    'nothing-is-valid',
    'Takes an empty answer of the registry for valid',
    (response) =>
      'result' in response && wordOf(response) === '0x' ? { ...response, result: TRUE } : response,
  ),
  registry('SAFE-10', 'revert-is-valid', 'Takes a revert of the registry for valid', (response) => {
    const { data, message } = Object(response.error) as JsonObject
    const isRevert = data !== undefined || /revert/i.test(String(message))
    return 'error' in response && isRevert
      ? { ...without(response, 'error'), result: TRUE }
      : response
  }),
  impatient(FALSE)(
    'ROUTE-03',
    'impatient',
    'Goes on to the next enclave where the registry is slow',
  ),
  impatient(TRUE)('SAFE-10', 'silence-is-valid', 'Takes a slow registry for a yes'),
  hostMutantBehind(remembering)(
    'SAFE-10',
    'last-answer-counts',
    'Goes by what the registry said last when it fails',
  ),
]
