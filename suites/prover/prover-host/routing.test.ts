import { bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HostBench, hostBench, type RunningHost, signatureOf } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

let chain: HostChain
let bench: HostBench

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 2)
})
afterEach(() => bench.stop())

const prove = async ({ rpc }: RunningHost) =>
  signatureOf(await rpc.request('prover_prove', await chain.request(1, 2)))
const allow = (...indices: number[]) => {
  chain.registry.valid = indices.map((index) => bench.enclaves[index]!.signer)
}
const skipped = () => bench.logged.filter(({ msg }) => msg === 'enclave skipped')

describe('routing of prover_prove', () => {
  it('given a first enclave that is not valid, when proving, then the second alone gets one Prove frame and the log says why (ROUTE-06, ROUTE-08, ROUTE-09, PIPE-06)', async () => {
    const [first, second] = bench.enclaves
    allow(1)
    expect(await prove(await bench.start())).toBe(second!.signature)
    expect(first!.kinds()).toEqual(['SignerPublicKey'])
    expect(second!.kinds()).toEqual(['SignerPublicKey', 'Prove'])
    expect(chain.registry.calls).toEqual(
      [first, second].map((one) => ({ to: chain.registry.address, signer: one!.signer })),
    )
    expect(skipped()).toMatchObject([
      { level: 40, cid: 16, signer: first!.signer, reason: 'signer not valid in the registry' },
    ])
  })

  it('given a key, when the registry is asked, then about the last 20 bytes of keccak256 over its 64 bytes (ROUTE-07)', async () => {
    allow(0)
    await prove(await bench.start({ order: [0] }))
    const digest = keccak256(bytesToHex(bench.enclaves[0]!.publicKey.subarray(1)))
    expect(chain.registry.calls[0]!.signer).toBe(`0x${digest.slice(-40)}`)
  })

  it('given a first enclave that is down, when proving, then the second serves and the log says why (ROUTE-05)', async () => {
    const [first, second] = bench.enclaves
    allow(0, 1)
    await first!.stop()
    expect(await prove(await bench.start())).toBe(second!.signature)
    expect(chain.registry.calls.map(({ signer }) => signer)).toEqual([second!.signer])
    expect(skipped()).toMatchObject([
      { cid: 16, reason: expect.stringContaining('connect failed: ') },
    ])
  })

  it('given a first enclave that stalls, when 10 s have passed, then the second serves (ROUTE-05)', async () => {
    const [first, second] = bench.enclaves
    allow(0, 1)
    first!.reactions.SignerPublicKey = 'stall'
    const proof = prove(await bench.start())
    await first!.arrived(1)
    await bench.clock.advance(10_000)
    expect(await proof).toBe(second!.signature)
    expect(skipped()).toMatchObject([{ cid: 16, reason: 'signer_public_key timed out' }])
  })

  it('given both valid, when proving in either order, then always the first in it (ROUTE-03)', async () => {
    const [first, second] = bench.enclaves
    allow(0, 1)
    const ahead = await bench.start({ order: [0, 1] })
    const back = await bench.start({ order: [1, 0] })
    for (let round = 0; round < 2; round += 1) {
      expect(await prove(ahead)).toBe(first!.signature)
      expect(await prove(back)).toBe(second!.signature)
    }
  })

  it('given an enclave that restarts with another registered key, when proving again, then that key is fetched and asked about (ROUTE-04)', async () => {
    const [first, second] = bench.enclaves
    const host = await bench.start({ order: [0] })
    allow(0)
    await prove(host)
    first!.reactions.SignerPublicKey = second!.reactions.SignerPublicKey
    allow(1)
    await prove(host)
    expect(chain.registry.calls.map(({ signer }) => signer)).toEqual([
      first!.signer,
      second!.signer,
    ])
  })

  it('given none valid, when proving, then -32001 names the signers that were asked about and no Prove is sent (ROUTE-10, ERR-10, ERR-11, SAFE-09)', async () => {
    const { rpc } = await bench.start()
    const signers = bench.enclaves.map(({ signer }) => signer).join(', ')
    await expect(rpc.request('prover_prove', await chain.request(1, 2))).rejects.toMatchObject({
      rpcCode: -32001,
      message: `prover_prove: no valid signer found among: [${signers}]`,
      data: undefined,
    })
    expect(bench.enclaves.flatMap((one) => one.kinds())).not.toContain('Prove')
  })

  it('given one CID and a registry that refuses its signer, when proving, then refused as well (HOST-CFG-17)', async () => {
    const host = await bench.start({ order: [0] })
    await expect(prove(host)).rejects.toMatchObject({ rpcCode: -32001 })
  })

  it('given all enclaves down, when proving, then -32001 with an empty list', async () => {
    allow(0, 1)
    await Promise.all(bench.enclaves.map((enclave) => enclave.stop()))
    await expect(prove(await bench.start())).rejects.toMatchObject({
      rpcCode: -32001,
      message: 'prover_prove: no valid signer found among: []',
    })
  })

  it.each([
    ['fails', 'down', /: eth_call: Internal error$/],
    ['is not deployed', 'not deployed', /: no registry at 0x7e/],
  ] as const)(
    'given a registry that %s, when proving, then the whole request fails closed at once (SAFE-10, OPEN-72…74)',
    async (_, mood, message) => {
      allow(0, 1)
      chain.registry.mood = mood
      await expect(prove(await bench.start())).rejects.toMatchObject({
        rpcCode: -32001,
        message: expect.stringMatching(message),
      })
      expect(chain.registry.calls).toHaveLength(1)
      expect(bench.enclaves.map((one) => one.kinds())).toEqual([['SignerPublicKey'], []])
    },
  )

  it('given a registry that stalls, when 10 s have passed, then -32001 names the signer as EIP-55 has it', async () => {
    chain.registry.mood = 'stalls'
    const failed = expect(prove(await bench.start())).rejects.toMatchObject({
      rpcCode: -32001,
      // Private key 1: the best known address there is.
      message:
        'prover_prove: L1 RPC failed for signer 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf: request timed out',
    })
    await chain.registry.asked(1)
    await bench.clock.advance(10_000)
    await failed
  })

  it('given a chosen enclave whose proof fails, when proving, then that is the answer: no other is tried (OPEN-72…74)', async () => {
    allow(0, 1)
    bench.enclaves[0]!.reactions.Prove = 'hang up'
    await expect(prove(await bench.start())).rejects.toMatchObject({ rpcCode: -32000 })
    expect(bench.enclaves[1]!.kinds()).toEqual([])
  })

  it('given no registry, when proving, then the first enclave is used unasked (ROUTE-11, HOST-CFG-14)', async () => {
    await prove(await bench.start({ order: [0], registryAddress: undefined }))
    expect(bench.enclaves[0]!.kinds()).toEqual(['Prove'])
    expect(chain.registry.calls).toEqual([])
  })

  it('given image_hash of another enclave, when proving, then validity alone decides (PRV-REQ-10, PRV-REQ-11)', async () => {
    allow(1)
    const { rpc } = await bench.start()
    const [request] = await chain.request(1, 2)
    const params = [{ ...request, image_hash: `0x${'99'.repeat(32)}` }]
    expect(signatureOf(await rpc.request('prover_prove', params))).toBe(
      bench.enclaves[1]!.signature,
    )
  })
})
