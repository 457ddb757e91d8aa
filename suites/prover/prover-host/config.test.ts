import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HostBench, type HostOverrides, hostBench } from './host-bench.ts'
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

describe('start of the prover host', () => {
  it.each<[string, HostOverrides, string]>([
    ['an unknown chain (HOST-CFG-07)', { chainId: 999_999_999 }, 'L2 chain 999999999 is unknown'],
    [
      'several CIDs and no registry (HOST-CFG-15)',
      { registryAddress: undefined },
      '2 enclave CIDs require a registry',
    ],
    ['no CID (HOST-CFG-09)', { order: [] }, 'At least one enclave CID'],
    ['no L1 URL (HOST-CFG-01)', { l1RpcUrl: '' }, 'l1RpcUrl is no http URL'],
    ['no beacon URL (HOST-CFG-02)', { l1BeaconUrl: '' }, 'l1BeaconUrl is no http URL'],
    ['no L2 URL (HOST-CFG-03)', { l2RpcUrl: 'ftp://x' }, 'l2RpcUrl is no http URL'],
    ['a timeout of 0', { proofTimeout: 0 }, 'proof timeout'],
    ['a negative grace', { shutdownGrace: -1 }, 'shutdown grace'],
  ])('given %s, when started, then it fails and says so', async (_, overrides, message) => {
    await expect(bench.start(overrides)).rejects.toMatchObject({
      code: 'HOST_CONFIG_INVALID',
      message: expect.stringContaining(message),
    })
    expect(bench.logged).toEqual([])
  })

  it('given a listen address that is taken, when started, then PORT_BUSY, and the metrics port is free again', async () => {
    const running = await bench.start()
    const listen = { host: '127.0.0.1', port: Number(new URL(running.url).port) }
    await expect(bench.start({ listen })).rejects.toMatchObject({
      code: 'PORT_BUSY',
      message: expect.stringContaining('prover host'),
    })
    const metricsListen = { host: '127.0.0.1', port: Number(new URL(running.metricsUrl).port) }
    await expect(bench.start({ metricsListen })).rejects.toMatchObject({ code: 'PORT_BUSY' })
  })

  it('given one CID and no registry, when started, then it runs (HOST-CFG-14)', async () => {
    const { rpc } = await bench.start({ order: [0], registryAddress: undefined })
    expect(await rpc.request('healthz', [])).toEqual({ version: '1.2.3' })
  })

  it('given enclaves that are down, when started, then it runs all the same (OPEN-75…77)', async () => {
    await Promise.all(bench.enclaves.map((enclave) => enclave.stop()))
    const { url } = await bench.start()
    expect((await fetch(`${url}/healthz`)).status).toBe(500)
  })

  it('given URLs of other chains, when started, then it says so', async () => {
    await bench.start({ l1RpcUrl: chain.l2Url, l2RpcUrl: chain.l1Url })
    const [l1, l2] = [1337, 84_538_453]
    const lines = bench.logged.map(({ level, msg, expected, served }) => [
      level,
      msg,
      expected,
      served,
    ])
    expect(lines).toContainEqual([50, 'the L1 URL leads to another chain', l1, l2])
    expect(lines).toContainEqual([50, 'the L2 URL leads to another chain', l2, l1])
  })

  it('given an L1 that is not up yet, when started, then it runs and says so', async () => {
    await bench.start({ l1RpcUrl: 'http://127.0.0.1:1' })
    expect(bench.logged).toMatchObject([
      { level: 40, msg: 'L1 is not reached yet' },
      { msg: 'prover host listens' },
    ])
  })

  it('given an L1 that does not answer, when started, then it is waited for 3 s', async () => {
    const stalled = createServer().listen(0, '127.0.0.1')
    await once(stalled, 'listening')
    try {
      const { port } = stalled.address() as AddressInfo
      const starting = bench.start({ l1RpcUrl: `http://127.0.0.1:${port}` })
      await once(stalled, 'connection')
      await bench.clock.advance(3000)
      await starting
      const reason = 'no answer within 3 s'
      expect(bench.logged).toMatchObject([{ reason }, { msg: 'prover host listens' }])
    } finally {
      stalled.close()
    }
  })

  it('given an address of no machine here, when started, then LISTEN_FAILED', async () => {
    // TEST-NET-1 (RFC 5737).
    const listen = { host: '192.0.2.1', port: 0 }
    await expect(bench.start({ listen })).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: expect.stringContaining('The prover host cannot listen'),
    })
  })

  it('given an IPv6 address, when started, then it listens there (HOST-CFG-08)', async () => {
    const { url } = await bench.start({ listen: { host: '::1', port: 0 } })
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${url}/healthz`)).status).toBe(500)
  })
})
