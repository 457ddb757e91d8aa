import { type HttpAnswer, type HttpExchange, type Mutant, mutantsOf } from '../mutant.ts'
import { refused } from '../parts/refused.ts'
import { refusing } from '../parts/refusing.ts'
import { isRecord, walletOf, withRecord } from './registration.ts'
import { serviceMutant } from './service-mutant.ts'

const codes = mutantsOf('builder-codes', 'api')

const PATH = '/v1/agents/builder-codes'
/** Registrations that are free, and those that are served at once. */
const FREE = 60
const AT_ONCE = 8

/** Registers the wallet that a query gives. */
const byQuery = (request: HttpExchange): HttpExchange => {
  const wallet = new URL(request.path, 'http://api').searchParams.get('walletAddress')
  const body = JSON.stringify({ walletAddress: wallet })
  const headers = { ...request.headers, 'content-type': 'application/json' }
  return wallet ? { ...request, method: 'POST', path: PATH, headers, body } : request
}

/** Mutants that open the API to whom it should not, or close it to whom it should serve. */
export const REGISTRATION_ACCESS_MUTANTS: readonly Mutant[] = [
  codes(
    'BC-11',
    'refuses-after-a-refusal',
    'Refuses one request after each that it refused',
    () => {
      let isAngry = false
      return {
        async http(request, forward) {
          const wasAngry = isAngry
          isAngry = false
          if (wasAngry) return refused(400)
          const answer = await forward(request)
          isAngry = answer.status === 400
          return answer
        },
      }
    },
  ),
  codes('BC-06', 'longer-cut', 'Cuts a longer address after 20 bytes', () => ({
    http(request, forward) {
      const wallet = walletOf(request)
      if (typeof wallet !== 'string' || !/^0x[0-9a-f]{41,}$/i.test(wallet)) return forward(request)
      const walletAddress = wallet.slice(0, 42).toLowerCase()
      return forward({ ...request, body: JSON.stringify({ walletAddress }) })
    },
  })),
  serviceMutant('BC-05', 'wallet-of-the-query', 'Takes a wallet of the query', (request, forward) =>
    forward(
      request.method === 'POST' && walletOf(request) === undefined ? byQuery(request) : request,
    ),
  ),
  serviceMutant('BC-01', 'get-registers', 'Registers by GET, too', (request, forward) =>
    forward(request.method === 'GET' ? byQuery(request) : request),
  ),
  serviceMutant('BC-01', 'put-too', 'Registers by PUT, too', (request, forward) =>
    forward(request.method === 'PUT' ? { ...request, method: 'POST' } : request),
  ),
  codes(
    'BC-04',
    'type-in-capitals-refused',
    'Refuses a content type with capitals',
    refusing(({ headers }) => /[A-Z]/.test(headers['content-type'] ?? ''), 415),
  ),
  codes(
    'BC-04',
    'escapes-refused',
    'Reads no JSON with escapes',
    refusing(({ body }) => /\\u00[0-9a-f]{2}/i.test(body), 400),
  ),
  codes('BC-08', 'repeat-without-wallet', 'Leaves the wallet out of a repeat', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      if (answer.status !== 200) return answer
      return withRecord(answer, ({ builderCode }) => ({ builderCode }))
    },
  })),
  codes('BC-14', 'token-for-a-repeat', 'Demands a token of who registers again', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      return answer.status === 200 && isRecord(answer) ? refused(401) : answer
    },
  })),
  codes('BC-14', 'sixty-free', 'Asks for credentials after sixty registrations', () => {
    let served = 0
    return {
      async http(request, forward): Promise<HttpAnswer> {
        if (served >= FREE && walletOf(request) !== undefined) return refused(401)
        const answer = await forward(request)
        if (isRecord(answer)) served += 1
        return answer
      },
    }
  }),
  codes('BC-11', 'busy-at-nine', 'Refuses the ninth of those that ask at once', ({ underWay }) => ({
    http: async (request, forward) =>
      (underWay?.() ?? 0) > AT_ONCE ? refused(409) : forward(request),
  })),
  codes('BC-05', 'null-is-zero', 'Takes null for the address of zeros', () => ({
    http(request, forward) {
      if (walletOf(request) !== null) return forward(request)
      const body = JSON.stringify({ walletAddress: `0x${'00'.repeat(20)}` })
      return forward({ ...request, body })
    },
  })),
]
