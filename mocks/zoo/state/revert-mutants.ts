import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { parseJson } from '../parts/parse-json.ts'
import { rewriteError, rewriteResponse, without } from '../rewrites.ts'

const call = mutantsOf('call', 'rpc')

const REASON = '0x08c379a0'
const PANIC = '0x4e487b71'

const isRevert = (error: JsonObject) => String(error.message).startsWith('execution reverted')
const begins = ({ data }: JsonObject, selector: string) => String(data).startsWith(selector)

/** Mutants of how some reverts of eth_call are answered, where the common one is right. */
export const REVERT_MUTANTS: readonly Mutant[] = [
  call(
    'ERR-01',
    'three-at-pending',
    'A revert at pending has code 3',
    rewriteError('eth_call', (error, { params: [, at] }) =>
      at === 'pending' && isRevert(error) ? { ...error, code: 3 } : error,
    ),
  ),
  call('ERR-01', 'three-in-batches', 'A revert in a batch has code 3', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      const found = parseJson(answer.body)
      if (!Array.isArray(found)) return answer
      const three = (each: JsonObject) =>
        isRevert(Object(each.error)) ? { ...each, error: { ...Object(each.error), code: 3 } } : each
      return { ...answer, body: JSON.stringify(found.map(three)) }
    },
  })),
  call(
    'ERR-03',
    'own-errors-lost',
    'Keeps the bytes of a reason alone, and not those of an error of the contract',
    rewriteError('eth_call', (error) =>
      isRevert(error) && !begins(error, REASON) && !begins(error, PANIC)
        ? without(error, 'data')
        : error,
    ),
  ),
  call(
    'ERR-02',
    'panics-named',
    'Names a panic in the message',
    rewriteError('eth_call', (error) =>
      isRevert(error) && begins(error, PANIC)
        ? { ...error, message: `${error.message}: panic` }
        : error,
    ),
  ),
  call(
    'ERR-02',
    'foreign-letters-named',
    'Appends a reason with letters beyond ASCII to the message',
    rewriteError('eth_call', (error) =>
      isRevert(error) && begins(error, REASON) && /[89a-f][0-9a-f]$/.test(textOf(error.data))
        ? { ...error, message: `${error.message}: ?` }
        : error,
    ),
  ),
  call(
    'ERR-03',
    'nothing-is-data',
    'Gives the text of the message as data where there are no bytes',
    rewriteError('eth_call', (error) =>
      isRevert(error) && error.data === undefined ? { ...error, data: error.message } : error,
    ),
  ),
  call(
    'ERR-04',
    'bare-at-a-height',
    'At a height a revert without bytes is an empty result',
    rewriteResponse((response, { method, params: [, at] }) => {
      const error = Object(response.error) as JsonObject
      const isMeant = method === 'eth_call' && /^0x/.test(String(at)) && isRevert(error)
      return isMeant && (error.data ?? '0x') === '0x'
        ? { ...without(response, 'error'), result: '0x' }
        : response
    }),
  ),
]

/** The digits of a reason up to its first byte beyond ASCII. */
function textOf(data: unknown): string {
  const bytes =
    String(data)
      .slice(2 + 8 + 128)
      .match(/../g) ?? []
  const at = bytes.findIndex((byte) => byte >= '80')
  return at < 0 ? '' : bytes.slice(0, at + 1).join('')
}
