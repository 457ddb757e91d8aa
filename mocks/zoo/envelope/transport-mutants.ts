import { type Mutant, mutantsOf } from '../mutant.ts'
import { firstPiece } from '../parts/first-piece.ts'
import { refusing } from '../parts/refusing.ts'

const envelope = mutantsOf('envelope', 'rpc')

/** Bytes of an answer from which on it is called compressed, and of a request that is too long. */
const WORTH_IT = 4_096
const LONG = 128 * 1_024
/** What nginx takes unless told otherwise. */
const VERY_LONG = 1_024 * 1_024

const calledCompressed: Mutant['apply'] = () => ({
  async http(request, forward) {
    const answer = await forward(request)
    const isAsked = /gzip/.test(request.headers['accept-encoding'] ?? '')
    if (!isAsked || answer.body.length < WORTH_IT) return answer
    return { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } }
  },
})

/** Mutants that understand HTTP as one client speaks it, and not as another one may. */
export const TRANSPORT_MUTANTS: readonly Mutant[] = [
  envelope('RPC-ENV-01', 'first-piece', 'Parses the first piece of a body', firstPiece),
  envelope('RPC-ENV-01', 'first-chunk', 'Parses the first chunk of a body in chunks', () => {
    const { http } = firstPiece()
    return {
      http: (request, forward) => (request.isChunked ? http!(request, forward) : forward(request)),
    }
  }),
  envelope(
    'RPC-ENV-03',
    'type-in-capitals-refused',
    'Refuses a content type with capitals',
    refusing(({ headers }) => /[A-Z]/.test(headers['content-type'] ?? ''), 415),
  ),
  envelope(
    'RPC-ENV-01',
    'called-compressed',
    'Calls a long answer compressed that is not',
    calledCompressed,
  ),
  envelope(
    'RPC-ENV-01',
    'any-type-refused',
    'Refuses a caller who takes any type of answer',
    refusing(({ headers }) => headers.accept === '*/*', 406),
  ),
  envelope(
    'RPC-ENV-01',
    'long-refused',
    'Refuses a body of more than 128 KiB',
    refusing(({ body }) => body.length > LONG, 413),
  ),
  envelope(
    'RPC-ENV-01',
    'megabyte-refused',
    'Refuses a body of more than 1 MiB',
    refusing(({ body }) => body.length > VERY_LONG, 413),
  ),
]
