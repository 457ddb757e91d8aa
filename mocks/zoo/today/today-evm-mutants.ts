import { type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteResponse, rewriteResult, without } from '../rewrites.ts'
import { big } from './big.ts'

const mutant = mutantsOf('today', 'rpc')

/** Calls of creation code that holds some bytes get another answer. */
const answerCode = (bytes: string, answer: (result: unknown) => unknown): Mutant['apply'] =>
  rewriteResult('eth_call', (result, call) => {
    const { data = '' } = (call.params[0] ?? {}) as { data?: string }
    return data.includes(bytes) ? answer(result) : result
  })

const lessGas = (gas: bigint) => (result: unknown) =>
  `0x${(big(result) - gas).toString(16).padStart(64, '0')}`

/** What calls `address` as the gate measures it: PUSH20, GAS, STATICCALL. */
const measures = (address: string) => `${address.slice(2)}5afa`
const MODEXP = `0x${'5'.padStart(40, '0')}`
const P256VERIFY = `0x${'100'.padStart(40, '0')}`

/** Mutants of the opcodes and precompiles of today's chain. */
export const TODAY_EVM_MUTANTS: readonly Mutant[] = [
  mutant(
    'TODAY-EVM-01',
    'clz-of-zero',
    'CLZ of zero is 255',
    answerCode(`7f${'0'.repeat(64)}1e`, () => `0x${'ff'.padStart(64, '0')}`),
  ),
  mutant(
    'TODAY-EVM-02',
    'modexp-longer',
    'MODEXP takes more than 1,024 bytes',
    rewriteResponse((response, call) => {
      const [{ to = '' } = {}] = call.params as { to?: string }[]
      if (call.method !== 'eth_call' || to !== MODEXP || 'result' in response) return response
      return { ...without(response, 'error'), result: '0x' }
    }),
  ),
  mutant(
    'TODAY-EVM-03',
    'modexp-cheaper',
    'MODEXP costs 200 gas at least',
    answerCode(measures(MODEXP), lessGas(300n)),
  ),
  mutant(
    'TODAY-EVM-04',
    'p256-cheaper',
    'P256VERIFY costs 3,450 gas',
    answerCode(measures(P256VERIFY), lessGas(3_450n)),
  ),
]
