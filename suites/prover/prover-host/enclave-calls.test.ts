import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HostBench, hostBench } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

let chain: HostChain
let bench: HostBench

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 3)
})
afterEach(() => bench.stop())

const bytes = (count: number) => Array<number>(count).fill(7)
/** User data and nonce of every attestation request, by enclave. */
const attestations = () =>
  bench.enclaves.map(({ requests }) =>
    requests.map((request) => {
      if (request.kind !== 'SignerAttestation') throw new Error(`unexpected ${request.kind}`)
      const { userData, nonce } = request
      return { userData: userData && [...userData], nonce: nonce && [...nonce] }
    }),
  )

describe('enclave_signerPublicKey', () => {
  it('given three enclaves in any order, when asked, then keys of 65 numbers in that order (HOST-RPC-03..05, ROUTE-01, ROUTE-02)', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const { rpc } = await bench.start({ order })
      const keys = order.map((index) => [...bench.enclaves[index]!.publicKey])
      expect(await rpc.request('enclave_signerPublicKey', [])).toEqual(keys)
    }
  })

  it('given a first enclave that answers last, when asked, then its key is still first (HOST-RPC-04)', async () => {
    const [first, second, third] = bench.enclaves
    const key = await first!.reactions.SignerPublicKey
    const { promise, resolve } = Promise.withResolvers<typeof key>()
    first!.reactions.SignerPublicKey = promise
    const { rpc } = await bench.start()
    const answer = rpc.request('enclave_signerPublicKey', [])
    await Promise.all([second!.arrived(1), third!.arrived(1)])
    resolve(key)
    expect(await answer).toEqual(bench.enclaves.map(({ publicKey }) => [...publicKey]))
  })
})

describe('enclave_signerAttestation', () => {
  it('given 512 bytes of user data and of each nonce, when attested, then accepted (LIM-04, LIM-05)', async () => {
    const { rpc } = await bench.start()
    const params = [bytes(512), [bytes(512), bytes(512), bytes(512)]]
    expect(await rpc.request('enclave_signerAttestation', params)).toEqual([
      [0x84, 0],
      [0x84, 1],
      [0x84, 2],
    ])
  })

  it.each<[string, unknown[], string]>([
    ['513 bytes of user data (ERR-07)', [bytes(513)], 'user_data exceeds 512-byte limit'],
    ['two nonces (ERR-06)', [null, [[1], [2]]], 'nonces length must equal signer count 3'],
    ['four nonces (ERR-06)', [null, [[], [], [], []]], 'nonces length must equal signer count 3'],
    ['no nonce in a list (ERR-06)', [null, []], 'nonces length must equal signer count 3'],
    ['a last nonce of 513 (ERR-08)', [null, [[], [], bytes(513)]], 'nonce exceeds 512-byte limit'],
    ['all three wrong', [bytes(513), [bytes(513)]], 'user_data exceeds 512-byte limit'],
    ['count and length wrong', [null, [bytes(513)]], 'nonces length must equal signer count 3'],
  ])(
    'given %s, when attested, then -32602 and no connection (ERR-09)',
    async (_, params, message) => {
      const { rpc } = await bench.start()
      await expect(rpc.request('enclave_signerAttestation', params)).rejects.toMatchObject({
        rpcCode: -32602,
        message: `enclave_signerAttestation: ${message}`,
        data: undefined,
      })
      expect(bench.enclaves.map(({ connections }) => connections())).toEqual([0, 0, 0])
    },
  )

  it('given user data and nonces, when attested, then one data for all and each its nonce (HOST-RPC-11, HOST-RPC-12)', async () => {
    const { rpc } = await bench.start()
    await rpc.request('enclave_signerAttestation', [
      [1, 2],
      [[3], [4], [5]],
    ])
    expect(attestations()).toEqual([3, 4, 5].map((nonce) => [{ userData: [1, 2], nonce: [nonce] }]))
  })

  it('given no params, when attested, then neither is sent (HOST-RPC-06, HOST-RPC-07, HOST-RPC-13)', async () => {
    const { rpc } = await bench.start()
    await rpc.request('enclave_signerAttestation', [])
    await rpc.request('enclave_signerAttestation', [null, null])
    for (const requests of attestations())
      expect(requests).toEqual(Array(2).fill({ userData: null, nonce: null }))
  })

  it('given several signers and a registry that accepts none, when attested, then answered: gating is for proofs (OPEN-75…77)', async () => {
    const { rpc } = await bench.start()
    expect(await rpc.request('enclave_signerAttestation', [])).toHaveLength(3)
    expect(chain.registry.calls).toEqual([])
  })
})

describe.each(['enclave_signerPublicKey', 'enclave_signerAttestation'])('%s', (method) => {
  const kind = method === 'enclave_signerPublicKey' ? 'SignerPublicKey' : 'SignerAttestation'

  it('given one of three enclaves down, when called, then all of it fails (HOST-RPC-09)', async () => {
    await bench.enclaves[1]!.stop()
    const { rpc } = await bench.start()
    await expect(rpc.request(method, [])).rejects.toMatchObject({
      rpcCode: -32010,
      message: expect.stringContaining('connect failed: '),
    })
  })

  it('given an error from one of three, when called, then all of it fails in its words (HOST-RPC-10)', async () => {
    bench.enclaves[2]!.reactions[kind] = { kind: 'Error', message: 'failed to open NSM session: x' }
    const { rpc } = await bench.start()
    await expect(rpc.request(method, [])).rejects.toMatchObject({
      rpcCode: -32011,
      message: `${method}: failed to open NSM session: x`,
    })
  })

  it('given one of three that stalls, when 10 s have passed, then all of it fails', async () => {
    bench.enclaves[0]!.reactions[kind] = 'stall'
    const { rpc } = await bench.start()
    const failed = expect(rpc.request(method, [])).rejects.toMatchObject({
      rpcCode: -32010,
      message: expect.stringMatching(/signer_(public_key|attestation) timed out$/),
    })
    await Promise.all(bench.enclaves.map((enclave) => enclave.arrived(1)))
    await bench.clock.advance(10_000)
    await failed
  })
})
