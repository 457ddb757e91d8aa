import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import {
  answerInstead,
  rewriteError,
  rewriteFirst,
  rewriteParams,
  rewriteResponse,
  rewriteResult,
  without,
} from '../rewrites.ts'

const mutant = mutantsOf('call', 'rpc')

const call = (change: (call: JsonObject) => JsonObject) => rewriteFirst('eth_call', change)
const ignored = (rule: string, ...names: string[]) =>
  mutant(
    rule,
    `${names[0]?.toLowerCase()}-ignored`,
    `Ignores ${names.join(', ')}`,
    call((each) => without(each, ...names)),
  )
const selector = (change: (selector: unknown) => unknown) =>
  rewriteParams('eth_call', ([first, at, ...rest]) => [first, change(at), ...rest])

/** Mutants of eth_call and its errors. */
export const CALL_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-CALL-01',
    'call-defaults',
    'A missing call object is an empty result',
    answerInstead('eth_call', ([first]) =>
      typeof first === 'object' && first !== null ? undefined : { result: '0x' },
    ),
  ),
  mutant(
    'RPC-CALL-02',
    'unknown-tag-is-latest',
    'Takes an unknown tag for latest',
    selector((at) => (at === 'newest' ? 'latest' : at)),
  ),
  mutant(
    'RPC-CALL-02',
    'selector-defaults',
    'Without a selector it is latest',
    rewriteParams('eth_call', ([first, at = 'latest', ...rest]) => [first, at, ...rest]),
  ),
  mutant(
    'RPC-CALL-03',
    'null-when-empty',
    'null for no bytes',
    rewriteResult('eth_call', (result) => (result === '0x' ? null : result)),
  ),
  mutant(
    'RPC-CALL-04',
    'other-default-sender',
    'Has a sender of its own by default',
    call((each) => ({ from: `0x${'99'.repeat(20)}`, ...each })),
  ),
  ignored('RPC-CALL-05', 'from', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'value'),
  mutant(
    'RPC-CALL-06',
    'creation',
    'A call without to succeeds',
    answerInstead('eth_call', ([first]) =>
      first && !('to' in (first as JsonObject)) ? { result: '0x' } : undefined,
    ),
  ),
  mutant(
    'RPC-CALL-07',
    'calls-the-sender',
    'Runs the code at from',
    call((each) => (each.from ? { ...each, to: each.from } : each)),
  ),
  mutant(
    'RPC-CALL-08',
    'small-gas-default',
    'Little gas by default',
    call((each) => ({ gas: '0xc350', ...each })),
  ),
  ignored('RPC-CALL-09', 'gas'),
  ignored('RPC-CALL-10', 'gasPrice'),
  mutant(
    'RPC-CALL-11',
    'cap-ignored',
    'Pays the base fee alone',
    call((each) => ('maxFeePerGas' in each ? { ...each, maxPriorityFeePerGas: '0x0' } : each)),
  ),
  mutant(
    'RPC-CALL-12',
    'pays-the-cap',
    'Always pays the cap',
    call((each) =>
      'maxFeePerGas' in each ? { ...each, maxPriorityFeePerGas: each.maxFeePerGas } : each,
    ),
  ),
  ignored('RPC-CALL-13', 'value'),
  ignored('RPC-CALL-14', 'data'),
  mutant(
    'RPC-CALL-15',
    'data-demanded',
    'Demands data',
    answerInstead('eth_call', ([first]) =>
      'data' in ((first ?? {}) as JsonObject)
        ? undefined
        : { error: { code: -32602, message: 'missing data' } },
    ),
  ),
  mutant('RPC-CALL-16', 'state-persists', 'A call changes the state of the next', () => {
    const seen = new Map<string, number>()
    return {
      response(response, { method, params }) {
        if (method !== 'eth_call' || !/^0x0{63}1$/.test(String(response.result))) return response
        const key = JSON.stringify(params)
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return { ...response, result: `0x${count.toString(16).padStart(64, '0')}` }
      },
    }
  }),
  mutant('RPC-CALL-17', 'gas-charged', 'Charges the caller', () => {
    let count = 0n
    return {
      response(response, { method, params }) {
        const { gasPrice } = (params[0] ?? {}) as JsonObject
        if (method !== 'eth_call' || !('result' in response)) return response
        if (gasPrice) count += 1n
        const value = BigInt(String(response.result).slice(0, 66))
        const isBalance = value > 10n ** 18n && String(response.result).length === 66
        const charged = (value - count).toString(16).padStart(64, '0')
        return isBalance ? { ...response, result: `0x${charged}` } : response
      },
    }
  }),
  mutant(
    'RPC-CALL-18',
    'always-the-tip',
    'Reads the tip for every height',
    selector((at) => (String(at).startsWith('0x') ? 'latest' : at)),
  ),
  seenIn(
    ['berachain/bera-reth#284'],
    mutant(
      'RPC-CALL-19',
      'pending-is-latest',
      'pending runs on the tip',
      selector((at) => (at === 'pending' ? 'latest' : at)),
    ),
  ),
  mutant(
    'RPC-CALL-20',
    'zero-number-at-pending',
    'NUMBER is zero at pending',
    rewriteResult('eth_call', (result, { params }) =>
      params[1] === 'pending' ? zeroWord(String(result), 5) : result,
    ),
  ),
  mutant(
    'RPC-CALL-21',
    'zero-time-at-pending',
    'TIMESTAMP is zero at pending',
    rewriteResult('eth_call', (result, { params }) =>
      params[1] === 'pending' ? zeroWord(String(result), 6) : result,
    ),
  ),
  mutant(
    'RPC-CALL-22',
    'zero-base-fee-at-pending',
    'BASEFEE is zero at pending',
    rewriteResult('eth_call', (result, { params }) =>
      params[1] === 'pending' ? zeroWord(String(result), 7) : result,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#2725'],
    mutant(
      'RPC-CALL-23',
      'tip-context',
      'Shows another height to the callee',
      rewriteResult('eth_call', (result, { params }) =>
        String(params[1]).startsWith('0x') ? zeroWord(String(result), 5) : result,
      ),
    ),
  ),
  mutant(
    'ERR-01',
    'revert-code',
    'Answers code 3 to a revert',
    rewriteError('eth_call', (error) => (error.code === -32000 ? { ...error, code: 3 } : error)),
  ),
  mutant(
    'ERR-02',
    'revert-message',
    'The message is the reason',
    rewriteError('eth_call', (error) => ({ ...error, message: 'no such luck' })),
  ),
  mutant(
    'ERR-03',
    'revert-data-dropped',
    'Leaves the revert bytes out',
    rewriteError('eth_call', (error) => without(error, 'data')),
  ),
  mutant(
    'ERR-04',
    'empty-revert-succeeds',
    'A revert without reason is an empty result',
    rewriteResponse((response, { method }) => {
      const error = response.error as JsonObject | undefined
      if (method !== 'eth_call' || error?.code !== -32000 || error.data) return response
      return { ...without(response, 'error'), result: '0x' }
    }),
  ),
]

/** A result with one of its 32-byte words zeroed; shorter results pass. */
function zeroWord(result: string, index: number): string {
  const at = 2 + 64 * index
  if (result.length < at + 64) return result
  return `${result.slice(0, at)}${'0'.repeat(64)}${result.slice(at + 64)}`
}
