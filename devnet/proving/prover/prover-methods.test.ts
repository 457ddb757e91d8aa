import { hexToBytes } from '@ethereumjs/util'
import { pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { profileValues } from '#devnet/l2/node/rpc/profile-differences'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { TeeProof } from '#protocol/proof/types'
import type { EnclaveClient } from './enclave-client.ts'
import { hostMetrics } from './host-metrics.ts'
import { proverMethods } from './prover-methods.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const request = {
  l1_head: hash('11'),
  agreed_l2_head_hash: hash('22'),
  agreed_l2_output_root: hash('33'),
  claimed_l2_output_root: hash('44'),
  claimed_l2_block_number: 4711,
  proposer: `0x${'aa'.repeat(20)}`,
  intermediate_block_interval: 1,
}
const proof: TeeProof = {
  aggregateProposal: {
    outputRoot: hash('44'),
    signature: `0x${'ab'.repeat(65)}`,
    l1OriginHash: hash('11'),
    l1OriginNumber: 7n,
    l2BlockNumber: 4711n,
    prevOutputRoot: hash('33'),
    configHash: hash('66'),
  },
  proposals: [],
}
const never = () => new Promise<never>(() => undefined)

interface Call {
  cid: number
  method: string
  userData?: Uint8Array | undefined
  nonce?: Uint8Array | undefined
}

let calls: Call[]
let clock: VirtualClock

beforeEach(() => {
  calls = []
  clock = new VirtualClock()
})

/** An enclave that notes what it is asked; `overrides` let it misbehave. */
function enclave(index: number, overrides: Partial<EnclaveClient> = {}): EnclaveClient {
  const cid = 16 + index
  const note = (call: Omit<Call, 'cid'>) => void calls.push({ cid, ...call })
  return {
    cid,
    signerPublicKey: async () => {
      note({ method: 'key' })
      return hexToBytes(privateKeyToAccount(`0x${'00'.repeat(31)}0${index + 1}`).publicKey)
    },
    signerAttestation: async (attestation) => {
      note({ method: 'attestation', ...attestation })
      return Uint8Array.of(0x84, index)
    },
    prove: async () => {
      note({ method: 'prove' })
      return proof
    },
    ...overrides,
  }
}

type Options = Partial<Parameters<typeof proverMethods>[0]>

function methods(options: Options = {}) {
  return proverMethods({
    enclaves: [enclave(0)],
    registry: undefined,
    buildWitness: async () => [],
    proofTimeout: 1740,
    clock,
    metrics: hostMetrics(),
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
    profile: profileValues('spec'),
    ...options,
  })
}

async function call(table: ReturnType<typeof methods>, name: string, params?: RpcParams) {
  return await table[name]!(params, { signal: new AbortController().signal })
}

describe('prover_prove', () => {
  it('given a proof, when answered, then it is handed on as it is, under its variant (PIPE-21, PRV-RES-01)', async () => {
    expect(await call(methods(), 'prover_prove', [request])).toMatchObject({
      Tee: {
        aggregate_proposal: { output_root: hash('44'), l2_block_number: 4711 },
        proposals: [],
      },
    })
  })

  it('given a stalled enclave, when 1740 s have passed and not before, then -32000 names the block (HOST-RPC-14, ERR-12, ERR-13)', async () => {
    let ended: unknown
    const prove: EnclaveClient['prove'] = (_, signal) => {
      signal.addEventListener('abort', () => {
        ended = signal.reason
      })
      return never()
    }
    const answer = call(methods({ enclaves: [enclave(0, { prove })] }), 'prover_prove', [request])
    let settled = false
    const watched = answer.catch((error: unknown) => {
      settled = true
      return error
    })
    await clock.advance(1_739_999)
    expect(settled).toBe(false)
    await clock.advance(1)
    expect(await watched).toMatchObject({
      rpcCode: -32000,
      message: 'proof request timed out after 1740s for L2 block 4711',
    })
    expect(ended).toMatchObject({ name: 'ProofTimeout' })
  })

  it('given a stalled witness, when a shorter timeout has passed, then it ends too (OPEN-70, OPEN-71)', async () => {
    const answer = call(methods({ buildWitness: never, proofTimeout: 1 }), 'prover_prove', [
      request,
    ])
    const failed = expect(answer).rejects.toThrow('timed out after 1s for L2 block 4711')
    await clock.advance(1000)
    await failed
    expect(calls).toEqual([])
  })

  it('given a witness that cannot be made, when answered, then -32000 and the enclave is not asked', async () => {
    const buildWitness = () => Promise.reject(new Error('invalid claim: computed 1, claimed 2'))
    await expect(call(methods({ buildWitness }), 'prover_prove', [request])).rejects.toMatchObject({
      rpcCode: -32000,
      message: 'witness generation failed: invalid claim: computed 1, claimed 2',
    })
    expect(calls).toEqual([])
  })

  it('given an enclave error, when answered, then -32000 holds its message (ERR-14, ERR-15)', async () => {
    const prove = () => Promise.reject(new Error('unsupported chain: 1'))
    const table = methods({ enclaves: [enclave(0, { prove })] })
    await expect(call(table, 'prover_prove', [request])).rejects.toMatchObject({
      rpcCode: -32000,
      message: 'unsupported chain: 1',
    })
  })

  it('given a registry without a valid signer, when answered, then -32001 and no Prove (ROUTE-10, SAFE-09)', async () => {
    const registry = { isValidSigner: async () => false }
    await expect(call(methods({ registry }), 'prover_prove', [request])).rejects.toMatchObject({
      rpcCode: -32001,
    })
    expect(calls.map(({ method }) => method)).toEqual(['key'])
  })

  it('given health latched and then no valid signer, when asked to prove, then -32001 (HOST-HEALTH-09)', async () => {
    let valid = true
    const table = methods({ registry: { isValidSigner: async () => valid } })
    await call(table, 'healthz')
    valid = false
    expect(await call(table, 'healthz')).toEqual({ version: '1.2.3' })
    await expect(call(table, 'prover_prove', [request])).rejects.toMatchObject({ rpcCode: -32001 })
  })

  it('given image_hash of another enclave, when routed, then validity alone decides (PRV-REQ-10, PRV-REQ-11)', async () => {
    const table = methods({
      enclaves: [enclave(0), enclave(1)],
      registry: { isValidSigner: async () => true },
    })
    await call(table, 'prover_prove', [{ ...request, image_hash: hash('99') }])
    expect(calls).toEqual([
      { cid: 16, method: 'key' },
      { cid: 16, method: 'prove' },
    ])
  })
})

describe('enclave_*', () => {
  const two = () => [enclave(0), enclave(1)]

  it('given two enclaves, when keys are asked for, then arrays of 65 numbers in CID order (HOST-RPC-03..05)', async () => {
    const slow = async () => {
      await clock.advance(10)
      return hexToBytes(privateKeyToAccount(`0x${'00'.repeat(31)}01`).publicKey)
    }
    const table = methods({ enclaves: [enclave(0, { signerPublicKey: slow }), enclave(1)] })
    const keys = (await call(table, 'enclave_signerPublicKey')) as number[][]
    expect(keys).toEqual(
      [1, 2].map((n) => [
        ...hexToBytes(privateKeyToAccount(`0x${'00'.repeat(31)}0${n}`).publicKey),
      ]),
    )
  })

  it.each(['enclave_signerPublicKey', 'enclave_signerAttestation'])(
    'given one of two enclaves down, when %s is called, then all of it fails (HOST-RPC-09, HOST-RPC-10)',
    async (name) => {
      const down = () => Promise.reject(new Error('connect timed out'))
      const broken = enclave(1, { signerPublicKey: down, signerAttestation: down })
      await expect(call(methods({ enclaves: [enclave(0), broken] }), name)).rejects.toMatchObject({
        rpcCode: -32010,
        message: 'connect timed out',
      })
    },
  )

  it('given user data and nonces, when attested, then one data for all and a nonce for each (HOST-RPC-11, HOST-RPC-12)', async () => {
    const params = [
      [1, 2],
      [[3], [4]],
    ]
    const documents = await call(methods({ enclaves: two() }), 'enclave_signerAttestation', params)
    expect(documents).toEqual([
      [0x84, 0],
      [0x84, 1],
    ])
    const userData = Uint8Array.of(1, 2)
    expect(calls).toEqual([
      { cid: 16, method: 'attestation', userData, nonce: Uint8Array.of(3) },
      { cid: 17, method: 'attestation', userData, nonce: Uint8Array.of(4) },
    ])
  })

  it('given no nonces, when attested, then none is sent (HOST-RPC-13)', async () => {
    await call(methods(), 'enclave_signerAttestation')
    expect(calls).toEqual([
      { cid: 16, method: 'attestation', userData: undefined, nonce: undefined },
    ])
  })

  const bytes = (count: number) => Array<number>(count).fill(7)

  it('given 512 bytes everywhere, when attested, then it is done (LIM-04, LIM-05)', async () => {
    const params = [bytes(512), [bytes(512), bytes(512)]]
    await call(methods({ enclaves: two() }), 'enclave_signerAttestation', params)
    expect(calls).toHaveLength(2)
  })

  it.each([
    ['user data of 513 bytes (ERR-07)', [bytes(513), [[]]], 'user_data exceeds 512-byte limit'],
    ['one nonce (ERR-06)', [null, [[1]]], 'nonces length must equal signer count 2'],
    ['three nonces (ERR-06)', [null, [[1], [2], [3]]], 'nonces length must equal signer count 2'],
    ['an empty list (OPEN-78…80)', [null, []], 'nonces length must equal signer count 2'],
    ['a last nonce of 513 (ERR-08)', [null, [[1], bytes(513)]], 'nonce exceeds 512-byte limit'],
  ])(
    'given %s, when attested, then -32602 and no vsock call (ERR-09, SAFE-06)',
    async (_, params, message) => {
      const table = methods({ enclaves: two() })
      await expect(call(table, 'enclave_signerAttestation', params)).rejects.toMatchObject({
        rpcCode: -32602,
        message,
      })
      expect(calls).toEqual([])
    },
  )
})
