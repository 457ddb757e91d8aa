import { bytesToUnprefixedHex } from '@ethereumjs/util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gate, type HostBench, hostBench, type RunningHost } from './host-bench.ts'
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

const prove = async ({ rpc }: RunningHost, from = 1, to = 2) =>
  await rpc.request('prover_prove', await chain.request(from, to))
const lines = (message: string) => bench.logged.filter(({ msg }) => msg === message)
const requests = (method: string, code: number) =>
  `rollbed_prover_requests_total{method="${method}",code="${code}"}`

describe('metrics (HOST-CFG-13)', () => {
  it('given calls that succeed and fail, when scraped, then they are counted by method and code', async () => {
    const host = await bench.start()
    await host.rpc.request('enclave_signerPublicKey', [])
    await host.rpc.request('enclave_signerPublicKey', [])
    for (const call of ['healthz', 'prover_prove', 'enclave_signerAttestation'])
      await host.rpc.request(call, call === 'healthz' ? [] : [[], []]).catch(() => undefined)
    await prove(host).catch(() => undefined)
    expect(await host.metric(requests('enclave_signerPublicKey', 0))).toBe(2)
    expect(await host.metric(requests('healthz', -32000))).toBe(1)
    expect(await host.metric(requests('enclave_signerAttestation', -32602))).toBe(1)
    expect(await host.metric(requests('prover_prove', -32602))).toBe(1)
    expect(await host.metric(requests('prover_prove', -32001))).toBe(1)
  })

  it('given a method that does not exist, when called, then no label is made of its name', async () => {
    const { rpc, metricsUrl } = await bench.start()
    await expect(rpc.request('made_up', [])).rejects.toMatchObject({ rpcCode: -32601 })
    expect(await (await fetch(metricsUrl)).text()).not.toContain('made_up')
  })

  it('given enclaves that are tried, when scraped, then their validity and the latch are there', async () => {
    const host = await bench.start()
    chain.registry.valid = [bench.enclaves[1]!.signer]
    expect(await host.metric('rollbed_prover_healthy')).toBe(0)
    await prove(host)
    await host.rpc.request('healthz', [])
    expect(await host.metric('rollbed_prover_enclave_valid{cid="16"}')).toBe(0)
    expect(await host.metric('rollbed_prover_enclave_valid{cid="17"}')).toBe(1)
    expect(await host.metric('rollbed_prover_healthy')).toBe(1)
  })

  it('given a proof in the enclave and two behind it, when scraped, then queue, flight and progress show it, and nothing once it is over', async () => {
    const [enclave] = bench.enclaves
    const slow = gate(enclave!.reactions.Prove)
    enclave!.reactions.Prove = slow.promise
    const host = await bench.start({ order: [0], registryAddress: undefined })
    const state = async () =>
      await Promise.all(
        ['proofs_in_flight', 'proofs_waiting', 'executed_blocks', 'range_blocks'].map((name) =>
          host.metric(`rollbed_prover_${name}{cid="16"}`),
        ),
      )
    const answers = [prove(host, 2, 4)]
    await enclave!.arrived(1)
    answers.push(prove(host), prove(host))
    await bench.untilLogged('waiting', 2)
    expect(await state()).toEqual([1, 2, 3, 3])
    slow.open()
    await Promise.all(answers)
    expect(await state()).toEqual([0, 0, 0, 0])
  })

  it('given a proof of 3 s in the enclave, when scraped, then its time is split in witness and enclave, and memory told', async () => {
    const [enclave] = bench.enclaves
    const slow = gate(enclave!.reactions.Prove)
    enclave!.reactions.Prove = slow.promise
    const host = await bench.start({ order: [0], registryAddress: undefined })
    const proof = prove(host)
    await enclave!.arrived(1)
    await bench.clock.advance(3000)
    slow.open()
    await proof
    expect(await host.metric('rollbed_prover_proof_seconds_sum{phase="witness"}')).toBe(0)
    expect(await host.metric('rollbed_prover_proof_seconds_sum{phase="enclave"}')).toBe(3)
    expect(await host.metric('rollbed_prover_proof_seconds_count{phase="enclave"}')).toBe(1)
    expect(lines('proof made')).toMatchObject([{ cid: 16, block: '2', seconds: 3 }])

    const [{ bytes }] = lines('proving') as [{ bytes: number }]
    expect(await host.metric('rollbed_prover_witness_bytes_sum')).toBe(bytes)
    expect(bytes).toBeGreaterThan(0)
    expect(await host.metric('rollbed_prover_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
  })
})

describe('logs', () => {
  it('given a signer, when seen again and again, then it is logged once, and again when another comes', async () => {
    const [first, second] = bench.enclaves
    const { rpc } = await bench.start({ order: [0] })
    await rpc.request('enclave_signerPublicKey', [])
    await rpc.request('enclave_signerPublicKey', [])
    expect(lines('signer seen')).toMatchObject([{ level: 30, cid: 16, signer: first!.signer }])
    first!.reactions.SignerPublicKey = second!.reactions.SignerPublicKey
    await rpc.request('enclave_signerPublicKey', [])
    expect(lines('signer seen')).toMatchObject([{}, { cid: 16, signer: second!.signer }])
  })

  it('given every kind of call, when made, then of a signer only its address is logged', async () => {
    chain.registry.valid = [bench.enclaves[0]!.signer]
    const host = await bench.start()
    await prove(host)
    await host.rpc.request('enclave_signerPublicKey', [])
    await host.rpc.request('enclave_signerAttestation', [[0xab, 0xcd]])
    const text = JSON.stringify(bench.logged)
    for (const { publicKey, signature } of bench.enclaves) {
      expect(text).not.toContain(bytesToUnprefixedHex(publicKey.subarray(1, 33)))
      expect(text).not.toContain([...publicKey.subarray(0, 8)].join(','))
      expect(text).not.toContain(signature)
    }
    expect(text).not.toContain('abcd')
  })

  it('given a proof, when it runs, then its lines tell request, enclave, blocks of all, and the end', async () => {
    const host = await bench.start({ order: [1], registryAddress: undefined })
    await prove(host, 1, 3)
    const about = { request: 1, cid: 17, block: '3' }
    expect(lines('building witness')).toMatchObject([about])
    expect(lines('block executed')).toMatchObject(
      [1, 2, 3].map((executed) => ({ level: 20, ...about, executed, total: 3 })),
    )
    expect(lines('proving')).toMatchObject([{ ...about, preimages: expect.any(Number) }])
    expect(lines('proof made')).toMatchObject([about])
  })

  it('given a proof that takes long, when 5 s have passed, then its next block is told at level info', async () => {
    chain.obstacle = async (method) => {
      if (method === 'debug_dbGet') await bench.clock.advance(1000)
    }
    await prove(await bench.start({ order: [0], registryAddress: undefined }), 1, 3)
    const levels = lines('block executed').map(({ level }) => level)
    expect(levels[0]).toBe(30)
  })
})
