import { describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { serveWorld } from '#devnet/rollup/world/serve-world'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'

describe('a simulated world that is served', () => {
  test('given it stopped at a moment, then any client reads L2, L1 and rollup, and it goes on when told', async () => {
    await using world = await startSimulatedWorld({ enclaves: 0 })
    await world.faults.inject('link:batcher-l1', 'down')
    await world.runUntil(10_000)
    const served = await serveWorld(world)
    try {
      const l2 = httpRpcClient(served.rpcUrl)
      expect(await l2.request('rollbed_worldTime', [])).toBe(10_000)
      expect(await l2.request('eth_blockNumber', [])).toBe('0x5')
      expect(await l2.request('eth_blockNumber', [])).toBe('0x5')
      const l1 = await httpRpcClient(served.l1RpcUrl).request('eth_getBlockByNumber', [
        'latest',
        false,
      ])
      expect(Number((l1 as { timestamp: string }).timestamp)).toBe(1_700_000_010)
      const status = await httpRpcClient(served.rollupRpcUrl).request('optimism_syncStatus', [])
      expect(status).toMatchObject({ safe_l2: { number: 0 }, unsafe_l2: { number: 5 } })
      const trace = l2.request('debug_traceBlockByNumber', ['0x1', { tracer: 'callTracer' }])
      expect(await trace).toHaveLength(1)

      await world.faults.clear()
      expect(await l2.request('rollbed_worldRun', [20_000])).toBe(30_000)
      const safe = (await l2.request('eth_getBlockByNumber', ['safe', false])) as { number: string }
      expect(Number(safe.number)).toBeGreaterThan(5)
      await expect(l2.request('rollbed_worldRun', [-1])).rejects.toThrow(/Invalid params/)
    } finally {
      await served.stop()
    }
  })
})
