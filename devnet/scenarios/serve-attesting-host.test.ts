import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeAttestation } from '#enclave/attestation/decode-attestation'
import { systemClock } from '#protocol/clock/system-clock'
import { systemRng } from '#protocol/random/rng'
import { type AttestingHost, serveAttestingHost } from './serve-attesting-host.ts'

let host: AttestingHost
beforeAll(async () => {
  host = await serveAttestingHost(systemClock, systemRng)
})
afterAll(() => host?.stop())

test('given user data and no nonces, when documents are asked for, then each has the user data (ATT-07, HOST-RPC-11)', async () => {
  const params = [[1, 2, 3], null]
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'enclave_signerAttestation',
    params,
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(host.url, { method: 'POST', headers, body })
  const { result } = (await answer.json()) as { result: number[][] }
  const bound = result.map((bytes) => {
    return [...(decodeAttestation(Uint8Array.from(bytes)).attestation.userData ?? [])]
  })
  expect(bound).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ])
})

test.each([
  ['no json', -32700],
  ['5', -32601],
  ['{"id":1,"method":"enclave_signerAttestation","params":[7,7]}', -32602],
])(
  'given a body %s, then it is refused with %i, and the next request is answered',
  async (body, code) => {
    const ask = async (text: string) =>
      (await fetch(host.url, { method: 'POST', body: text })).json()
    expect(await ask(body)).toMatchObject({ error: { code } })
    const keys = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'enclave_signerPublicKey' })
    expect(await ask(keys)).toMatchObject({ id: 2, result: expect.any(Array) })
  },
)

test('given params that are null, then they are none', async () => {
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'enclave_signerAttestation' },
    params: null,
  })
  const answer = await fetch(host.url, { method: 'POST', body })
  expect(await answer.json()).toMatchObject({ result: [expect.any(Array), expect.any(Array)] })
})
