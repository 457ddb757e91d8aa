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
  bench = await hostBench(chain, 2)
})
afterEach(() => bench.stop())

const get = async (url: string) => {
  const response = await fetch(`${url}/healthz`)
  return [response.status, response.headers.get('content-type'), await response.json()]
}
const JSON_TYPE = expect.stringContaining('application/json')
const healthy = [200, JSON_TYPE, { version: '1.2.3' }]
const unhealthy = [
  500,
  JSON_TYPE,
  { code: -32000, message: 'signer is not a valid signer in TEEProverRegistry' },
]
const allow = (...indices: number[]) => {
  chain.registry.valid = indices.map((index) => bench.enclaves[index]!.signer)
}

describe('given a host with no devnet around it', () => {
  const warnings = async (url: string) =>
    ((await (await fetch(`${url}/healthz`)).json()) as { warnings?: unknown[] }).warnings

  it('when a request meets an enclave that is gone, then healthz names it, and stays 200', async () => {
    const { url, rpc } = await bench.start({ order: [0], registryAddress: undefined })
    await bench.enclaves[0]!.stop()
    expect(await warnings(url)).toBeUndefined()
    await expect(rpc.request('enclave_signerPublicKey', [])).rejects.toThrow()
    const problem = expect.stringMatching(/^it takes no connection: /)
    expect(await warnings(url)).toMatchObject([{ part: 'enclave 16', problem }])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  it('when L1 no longer answers, then a heartbeat tells it without any request, and when it is back', async () => {
    const { url } = await bench.start({ order: [0], registryAddress: undefined })
    chain.obstacle = (method) => {
      if (method === 'eth_blockNumber') throw new Error('database closed')
    }
    await bench.clock.advance(10_000)
    while (!(await warnings(url))?.length);
    expect(await warnings(url)).toContainEqual(
      expect.objectContaining({ part: 'L1', problem: expect.stringContaining('does not answer') }),
    )
    chain.obstacle = () => undefined
    await bench.clock.advance(10_000)
    while (await warnings(url));
  })
})

describe('health gated by the registry', () => {
  it('given no valid signer, when read again and again, then 500 and the bare error; the method says the same (HOST-HEALTH-01, HOST-HEALTH-06, HOST-HEALTH-07, HOST-CFG-16)', async () => {
    const { url, rpc } = await bench.start()
    expect(await get(url)).toEqual(unhealthy)
    expect(await get(url)).toEqual(unhealthy)
    await expect(rpc.request('healthz', [])).rejects.toMatchObject({
      rpcCode: -32000,
      message: 'healthz: signer is not a valid signer in TEEProverRegistry',
    })
  })

  it('given the second signer valid, when read, then 200 and the bare result (HOST-HEALTH-02, HOST-HEALTH-06)', async () => {
    const { url, rpc } = await bench.start()
    allow(1)
    expect(await get(url)).toEqual(healthy)
    expect(await rpc.request('healthz', [])).toEqual({ version: '1.2.3' })
  })

  it.each([
    ['the registry fails', () => Object.assign(chain.registry, { mood: 'down' })],
    ['the signer is deregistered', () => allow()],
    ['the enclave is down', () => bench.enclaves[0]!.stop()],
  ])(
    'given healthy once, when %s, then healthy still and nobody is asked (HOST-HEALTH-03, HOST-HEALTH-04)',
    async (_, happen) => {
      const { url } = await bench.start({ order: [0] })
      allow(0)
      expect(await get(url)).toEqual(healthy)
      await happen()
      expect(await get(url)).toEqual(healthy)
      expect(chain.registry.calls).toHaveLength(1)
    },
  )

  it('given healthy and then no valid signer, when asked to prove, then -32001: the latch is for health alone (HOST-HEALTH-09)', async () => {
    const { url, rpc } = await bench.start()
    allow(0)
    await get(url)
    allow()
    expect(await get(url)).toEqual(healthy)
    await expect(rpc.request('prover_prove', await chain.request(1, 2))).rejects.toMatchObject({
      rpcCode: -32001,
    })
  })

  it('given a registry that fails from the start, when read, then 500 says so, and 200 once it works (HOST-HEALTH-08)', async () => {
    const { url } = await bench.start({ order: [0] })
    allow(0)
    chain.registry.mood = 'down'
    expect(await get(url)).toEqual([
      500,
      JSON_TYPE,
      { code: -32000, message: expect.stringMatching(/^L1 RPC failed for signer 0x7E5F/) },
    ])
    chain.registry.mood = 'up'
    expect(await get(url)).toEqual(healthy)
  })

  it('given a first enclave down and the second valid, when read, then healthy (HOST-HEALTH-02)', async () => {
    await bench.enclaves[0]!.stop()
    allow(1)
    const warnings = [expect.objectContaining({ part: 'enclave 16' })]
    expect(await get((await bench.start()).url)).toEqual([
      200,
      JSON_TYPE,
      { version: '1.2.3', warnings },
    ])
  })

  it('given no registry and the enclave down, when read, then healthy (HOST-HEALTH-05, OPEN-75…77)', async () => {
    await bench.enclaves[0]!.stop()
    const { url } = await bench.start({ order: [0], registryAddress: undefined })
    expect(await get(url)).toEqual(healthy)
    expect(chain.registry.calls).toEqual([])
  })

  it('given one listener, when health and JSON-RPC are asked, then both answer there; health is only read (HOST-RPC-01)', async () => {
    const { url } = await bench.start({ order: [0], registryAddress: undefined })
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(url)).status).toBe(405)
  })
})
