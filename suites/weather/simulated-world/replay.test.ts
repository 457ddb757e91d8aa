import { describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'

const PLAN = {
  ...{ seed: 3, duration: 20_000, load: { transfers: 240 } },
  faults: [{ at: 1_000, until: 15_000, target: 'link:batcher-l1', fault: 'down' }],
}

/** What a world replayed to a moment says, and how it goes on for eight seconds. */
async function replayed(...flags: string[]) {
  const command = ['fault', 'replay', JSON.stringify(PLAN), '--until', '6100', '--port', '0']
  const replay = new RollbedProcess([...command, '--json', ...flags])
  try {
    const line = await replay.firstLine()
    expectFitsSchema('fault replay', line)
    const { rpcUrl, time, faults } = JSON.parse(line)
    const l2 = httpRpcClient(rpcUrl)
    const block = (await l2.request('eth_getBlockByNumber', ['latest', false])) as {
      transactions: string[]
    }
    await l2.request('rollbed_worldRun', [8_000])
    const later = (await l2.request('eth_getBlockByNumber', ['latest', false])) as {
      transactions: string[]
    }
    const safe = (await l2.request('eth_getBlockByNumber', ['safe', false])) as { number: string }
    return {
      ...{ time, faults, safe: Number(safe.number) },
      transactions: block.transactions.length,
      transactionsLater: later.transactions.length,
    }
  } finally {
    replay.child.kill('SIGINT')
    expect(await replay.outcome).toMatchObject({ exitCode: 0, stderr: '' })
  }
}

describe('rollbed fault replay', () => {
  test('given a moment, then faults and load are there, and go on', async () => {
    expect(await replayed()).toEqual({
      ...{ time: 6_100, faults: ['link:batcher-l1 down'], safe: 0 },
      transactions: expect.toSatisfy((count: number) => count > 2),
      transactionsLater: expect.toSatisfy((count: number) => count > 2),
    })
  })

  test('given --branch, then it goes on without the fault, and with the load', async () => {
    const { time, faults, safe, transactionsLater } = await replayed('--branch')
    expect({ time, faults }).toEqual({ time: 6_100, faults: [] })
    expect(safe).toBeGreaterThan(0)
    expect(transactionsLater).toBeGreaterThan(2)
  })
})
