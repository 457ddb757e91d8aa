import { describe, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { startDevnet } from '#devnet/start-devnet'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'

const BLOCKS = 16

/** Seconds from each L1 block to the one before it, from block 1 on. */
async function gapsOf(l1: RpcClient): Promise<number[]> {
  const timeOf = async (number: number) => {
    const block = await l1.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    return Number((block as { timestamp: string }).timestamp)
  }
  const times = await Promise.all(Array.from({ length: BLOCKS + 1 }, (_, number) => timeOf(number)))
  return times.slice(1).map((time, index) => time - times[index]!)
}

/** Time for all of them, those of the start included. */
const enough = (slotTime: number) => (BLOCKS + 1) * slotTime

const always = (slotTime: number) => Array<number>(BLOCKS).fill(slotTime)

/** A commit starts two of the five, the night all. */
const STARTS = [
  { what: 'as it comes', options: {}, slotTime: 2 },
  { what: 'without enclaves', options: { enclaves: 0 }, slotTime: 2 },
  {
    what: 'with two enclaves and an L1 that is slower than L2',
    options: { enclaves: 2, blockTime: 1, l1BlockTime: 3 },
    slotTime: 3,
  },
  {
    what: 'with actors',
    options: { actors: true },
    slotTime: 2,
  },
  {
    what: 'with a time to begin at',
    options: { enclaves: 1, genesisTime: 1_700_000_000, clock: 'manual' },
    slotTime: 2,
  },
] as const

describe('the L1 of a devnet', () => {
  test.each(drawShare(drawnBy, STARTS, 2 / 5))(
    'given one $what, then each slot has a block from the first on',
    async ({ options, slotTime }) => {
      await using devnet = await startDevnet({ logLevel: 'silent', ...options })
      await devnet.passTime(enough(slotTime))
      expect(await gapsOf(httpRpcClient(devnet.description.l1RpcUrl))).toEqual(always(slotTime))
    },
  )

  test('given an enclave that dies, when its successor is registered between two slots, then each slot has a block', async () => {
    await using devnet = await startDevnet({ logLevel: 'silent', faults: true })
    const { promise: isBack, resolve } = Promise.withResolvers<void>()
    devnet.onChange(resolve)
    await devnet.faults!.inject('process:enclave.16', 'kill')
    await isBack
    await devnet.passTime(enough(2))
    expect(await gapsOf(httpRpcClient(devnet.description.l1RpcUrl))).toEqual(always(2))
  })
})

describe('the L1 of a simulated world', () => {
  test.each([
    { what: 'as it comes', options: {}, slotTime: 2 },
    {
      what: 'whose enclaves are registered at once',
      options: { actors: false, enclaves: 2 },
      slotTime: 2,
    },
    { what: 'with a slower L1', options: { actors: false, l1BlockTime: 6 }, slotTime: 6 },
  ])(
    'given one $what, then each slot has a block from the first on',
    async ({ options, slotTime }) => {
      await using world = await startSimulatedWorld(options)
      await world.runUntil(enough(slotTime) * 1000)
      expect(await gapsOf(world.clients.l1)).toEqual(always(slotTime))
    },
  )
})
