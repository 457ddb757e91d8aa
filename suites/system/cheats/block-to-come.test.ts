import { concat, type Hex, numberToHex, size, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { request } from './cheat-node.ts'

// Where no pre-confirmations are served, a call at pending and an estimate run in the block to come. anvil
// is the truth.
let devnet: Devnet
let anvil: AnvilProcess
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, manual: true, logLevel: 'silent' })
  anvil = new AnvilProcess({ port: 0, chainId: 31_337, network: 'optimism' })
  await anvil.start()
})
afterAll(async () => {
  await anvil?.stop()
  await devnet?.stop()
})

/** NUMBER and TIMESTAMP, as what a creation returns. */
const PLACE: Hex = '0x435f524260205260405ff3'
/** Creates nothing but at this time; before and after it reverts. */
const onlyAt = (time: number): Hex =>
  concat(['0x64', numberToHex(time, { size: 5 }), '0x4214600e575f5ffd5b00'])

const nodes = () => [`${devnet.description.rpcUrl}/plain`, `http://127.0.0.1:${anvil.port}`]
const height = async (url: string) => Number(await request(url, 'eth_blockNumber'))

/** Blocks above the newest one, and the time. */
async function placeAt(url: string, block: string) {
  const output = (await request(url, 'eth_call', [{ data: PLACE }, block])) as Hex
  expect(size(output)).toBe(64)
  return {
    above: Number(slice(output, 0, 32)) - (await height(url)),
    time: Number(slice(output, 32)),
  }
}

describe.each([true, false])('given automine %s, and a time set for the next block', (automine) => {
  const time = automine ? 5_000_000_000 : 6_000_000_000
  beforeAll(async () => {
    for (const url of nodes()) {
      await request(url, 'evm_setAutomine', [automine])
      await request(url, 'evm_mine')
      await request(url, 'evm_setNextBlockTimestamp', [time])
    }
  })

  test('when a call runs at pending, then it is in the block to come, and at latest in the newest', async () => {
    for (const url of nodes()) {
      expect(await placeAt(url, 'pending')).toEqual({ above: 1, time })
      const latest = await placeAt(url, 'latest')
      expect(latest.above).toBe(0)
      expect(latest.time).toBeLessThan(time)
    }
  })

  test('when gas is estimated, then it is for that time', async () => {
    for (const url of nodes()) {
      const estimate = (data: Hex) => request(url, 'eth_estimateGas', [{ data }])
      expect(await estimate(onlyAt(time))).toMatch(/^0x/)
      await expect(estimate(onlyAt(time - 1))).rejects.toMatchObject({ code: 3 })
    }
  })

  test('when the block is made, then it has the time that the estimate saw', async () => {
    for (const url of nodes()) {
      await request(url, 'evm_mine')
      expect(await placeAt(url, 'latest')).toEqual({ above: 0, time })
    }
  })
})

test('given an access list and a trace at pending, then they are of the block to come, too', async () => {
  const [plain] = nodes() as [string]
  const time = 7_000_000_000
  await request(plain, 'evm_setNextBlockTimestamp', [time])
  const call = { data: onlyAt(time) }
  expect(await request(plain, 'eth_createAccessList', [call, 'pending'])).not.toHaveProperty(
    'error',
  )
  const trace = { tracer: 'callTracer' }
  const frame = await request(plain, 'debug_traceCall', [call, 'pending', trace])
  expect(frame).not.toHaveProperty('error')
  expect(await request(plain, 'debug_traceCall', [call, 'latest', trace])).toHaveProperty('error')
})

test('given a revert without data, then the error of a call and of an estimate has empty data, as anvil has it', async () => {
  for (const url of nodes()) {
    for (const method of ['eth_call', 'eth_estimateGas']) {
      // REVERT with nothing, of what creates a contract.
      const body = { jsonrpc: '2.0', id: 1, method, params: [{ data: '0x5f5ffd' }, 'latest'] }
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { error } = (await answer.json()) as { error: object }
      expect(error, method).toMatchObject({ code: 3, data: '0x' })
    }
  }
})
