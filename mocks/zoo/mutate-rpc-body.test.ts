import { describe, expect, test } from 'vitest'
import { parseCall } from './mutate-rpc-body.ts'

const paramsOf = (method: string, params?: object) =>
  parseCall(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))?.params

/** A caller may put them in their place, or name them, or leave them out (OPEN-58). */
describe('what a prover is asked', () => {
  test.each([
    ['enclave_signerPublicKey', undefined, []],
    ['enclave_signerAttestation', undefined, []],
    ['enclave_signerAttestation', [null, [[1]]], [null, [[1]]]],
    ['enclave_signerAttestation', { nonces: [[1]] }, [null, [[1]]]],
    ['enclave_signerAttestation', { nonces: [[1]], user_data: [2] }, [[2], [[1]]]],
    ['prover_prove', { request: { proposer: '0x' } }, [{ proposer: '0x' }]],
  ])('given %s with %j, then its params are in their place', (method, params, inPlace) => {
    expect(paramsOf(method, params)).toEqual(inPlace)
  })

  test('given another method with params by name, then it is left alone', () => {
    expect(paramsOf('eth_call', { data: '0x' })).toBeUndefined()
  })
})
