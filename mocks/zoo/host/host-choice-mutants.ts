import { behind, cidsOf } from '#mocks/host/host-changes'
import { hostMutant } from '../host-mutant.ts'
import type { JsonObject, Mutant, MutantHooks } from '../mutant.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const KEYS = 'enclave_signerPublicKey'
const REGISTRY = '--tee-prover-registry-address'
/** isValidSigner(address) of a signer, in calldata. */
const VALIDITY = /d5f505820{24}([0-9a-f]{40})/i
const NOT_VALID = `0x${'0'.repeat(64)}`
/** Words of the first enclave of the scene, which other mutants are about. */
const OF_FIRST = 'no key today'

/** Whoever was chosen last is chosen again, whoever else is valid. */
const loyal = (): MutantHooks => {
  let chosen: string | undefined
  return {
    response(response, { params }) {
      const [, signer] = VALIDITY.exec(JSON.stringify(params)) ?? []
      if (!signer || BigInt(String(response.result ?? 0)) !== 1n) return response
      if (chosen && chosen !== signer) return { ...response, result: NOT_VALID }
      chosen = signer
      return response
    },
  }
}

/** Needs the keys of those that are not chosen, too. */
const needsAll = (): MutantHooks => ({
  async http(request, forward) {
    if (!request.body.includes(PROVE)) return forward(request)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: KEYS, params: [] })
    const keys = await forward({ ...request, body })
    if (!keys.body.includes('"error"') || keys.body.includes(OF_FIRST)) return forward(request)
    const { id } = JSON.parse(request.body) as JsonObject
    const error = { code: -32000, message: 'an enclave tells no key' }
    return { ...keys, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
  },
})

const MINUTE = 60_000
const IS_VALID_SIGNER = '0xd5f50582'

/** A signer that was valid is valid for a minute. */
const validForAMinute = (now: () => number) => (): MutantHooks => {
  const valid = new Map<string, { result: unknown; since: number }>()
  const isCall = (method: string, key: string) =>
    method === 'eth_call' && key.includes(IS_VALID_SIGNER)
  return {
    call(asked) {
      const key = JSON.stringify(asked.params)
      const known = valid.get(key)
      if (!known || now() - known.since > MINUTE) return asked
      return { reply: { jsonrpc: '2.0', id: asked.id, result: known.result } }
    },
    response(response, { method, params }) {
      const key = JSON.stringify(params)
      const isValid = isCall(method, key) && /1$/.test(String(response.result))
      if (isValid) valid.set(key, { result: response.result, since: now() })
      return response
    },
  }
}

/** Mutants that choose another enclave than the first whose signer is valid now. */
export const HOST_CHOICE_MUTANTS: readonly Mutant[] = [
  hostMutant('ROUTE-03', 'loyal', 'Goes on with the enclave that it chose last', ({ clock }) =>
    behind('--l1-rpc-url', clock, loyal),
  ),
  hostMutant(
    'HOST-CFG-17',
    'one-enclave-trusted',
    'Asks no registry about a single enclave',
    () => (launch) => (flags) =>
      launch(cidsOf(flags).length > 1 ? flags : flags.filter(([name]) => name !== REGISTRY)),
  ),
  served('ROUTE-08', 'all-keys-needed', 'Proves only where each enclave tells its key', needsAll),
  hostMutant(
    'ROUTE-08',
    'invalid-for-good',
    'Never again asks for a signer that was invalid once',
    ({ clock }) =>
      behind('--l1-rpc-url', clock, () => {
        const invalid = new Map<string, unknown>()
        return {
          response(response, call) {
            const text = JSON.stringify(call.params[0])
            if (call.method !== 'eth_call' || !text.includes('0xd5f50582')) return response
            const isInvalid = 'result' in response && BigInt(String(response.result)) === 0n
            if (isInvalid) invalid.set(text, response.result)
            return invalid.has(text)
              ? { jsonrpc: '2.0', id: response.id, result: invalid.get(text) }
              : response
          },
        }
      }),
  ),
  hostMutant(
    'ROUTE-06',
    'valid-for-a-minute',
    'Asks the registry once a minute about a signer that is valid',
    ({ clock }) =>
      behind(
        '--l1-rpc-url',
        clock,
        validForAMinute(() => clock.now()),
      ),
  ),
]
