import { type HttpAnswer, type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { answersAs } from '../rewrites.ts'
import { isRecord, withRecord } from './registration.ts'
import { serviceMutant } from './service-mutant.ts'

const PATH = '/v1/agents/builder-codes'

const service = mutantsOf('builder-codes', 'api')

const answer = (status: number, body: JsonObject): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** A mutant that changes the record of a successful registration. */
const record = (
  rule: string,
  name: string,
  says: string,
  change: (record: JsonObject) => JsonObject,
) =>
  serviceMutant(rule, name, says, async (request, forward) =>
    withRecord(await forward(request), change),
  )

let issued = 0
const freshCode = () => `bc_${(++issued).toString(36).padStart(8, '0')}`

/** Mutants of the registration API. */
export const BUILDER_CODE_MUTANTS: readonly Mutant[] = [
  serviceMutant('BC-01', 'put-only', 'Serves PUT instead of POST', async (request, forward) =>
    request.method === 'POST' && request.path === PATH ? answer(405, {}) : forward(request),
  ),
  serviceMutant('BC-02', 'no-version', 'Serves the path without v1 too', (request, forward) =>
    forward({ ...request, path: request.path.replace(/^\/agents/, '/v1/agents') }),
  ),
  serviceMutant('BC-03', 'rpc-too', 'Answers JSON-RPC as well', async (request, forward) =>
    request.body.includes('"method"') ? answer(200, { id: 1, result: [] }) : forward(request),
  ),
  serviceMutant('BC-04', 'json-refused', 'Refuses JSON bodies', async (request, forward) =>
    request.headers['content-type'] === 'application/json' && request.body.includes('0x')
      ? answer(415, {})
      : forward(request),
  ),
  serviceMutant(
    'BC-05',
    'empty-body',
    'Issues a code for an empty body',
    async (request, forward) =>
      request.body === '{}' ? answer(201, { builderCode: freshCode() }) : forward(request),
  ),
  serviceMutant('BC-06', 'any-string', 'Issues a code for any string', async (request, forward) =>
    request.body.includes('hello') ? answer(201, { builderCode: freshCode() }) : forward(request),
  ),
  record('BC-07', 'other-member', 'Calls the member code', ({ builderCode, ...rest }) => ({
    ...rest,
    code: builderCode,
  })),
  service('BC-07', 'says-text', 'Calls its records plain text', answersAs('text/plain')),
  record('BC-08', 'no-wallet', 'Leaves walletAddress out', ({ walletAddress: _, ...rest }) => rest),
  record('BC-09', 'upper-case-prefix', 'Prefix in upper case', (each) => ({
    ...each,
    builderCode: String(each.builderCode).replace('bc_', 'BC_'),
  })),
  record('BC-10', 'fresh-every-time', 'Issues a fresh code on each call', (each) => ({
    ...each,
    builderCode: freshCode(),
  })),
  serviceMutant('BC-11', 'conflict', 'Answers 409 to the second call', async (request, forward) => {
    const reply = await forward(request)
    return reply.status === 200 && isRecord(reply) ? answer(409, {}) : reply
  }),
  serviceMutant(
    'BC-12',
    'by-letter-case',
    'Another letter case is another wallet',
    async (request, forward) => {
      const reply = await forward(request)
      if (!isRecord(reply)) return reply
      const { walletAddress } = JSON.parse(request.body) as { walletAddress: string }
      if (walletAddress !== walletAddress.toLowerCase()) return reply
      const body = { ...JSON.parse(reply.body), builderCode: 'bc_lowercas' }
      return { ...reply, body: JSON.stringify(body) }
    },
  ),
  record('BC-13', 'one-for-all', 'One code for all wallets', (each) => ({
    ...each,
    builderCode: 'bc_constant',
  })),
  serviceMutant('BC-14', 'token-demanded', 'Demands a token', async (request, forward) =>
    request.headers.authorization ? forward(request) : answer(401, {}),
  ),
  record('ATTR-03', 'comma', 'Issues codes with a comma, which no suffix can hold', (each) => ({
    ...each,
    builderCode: String(each.builderCode).replace(/^(bc_.)./, '$1,'),
  })),
  record('ATTR-05', 'not-the-wallets', 'Answers a code registered for nobody', (each) => ({
    ...each,
    builderCode: freshCode(),
  })),
]
