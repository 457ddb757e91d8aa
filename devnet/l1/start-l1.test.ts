import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createPublicClient, http } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type L1, type StartL1Parameters, startL1 } from './start-l1.ts'

const genesisTime = 1_700_000_000
let running: L1[] = []

async function start(parameters: Partial<StartL1Parameters> = {}) {
  const clock = new VirtualClock(genesisTime * 1000)
  const l1 = await startL1({ clock, genesisTime, ...parameters })
  running.push(l1)
  const client = createPublicClient({ transport: http(l1.rpcUrl), cacheTime: 0 })
  return { l1, clock, client }
}

afterEach(async () => {
  for (const l1 of running) {
    await l1.stop()
    expect(processExists(l1.pid)).toBe(false)
  }
  running = []
})

const childCount = () =>
  process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap').length

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('startL1', () => {
  test('given the same parameters, then two chains have the same genesis and funded accounts', async () => {
    const [a, b] = await Promise.all([start(), start()])
    const genesis = await a.client.getBlock({ blockNumber: 0n })
    expect(genesis).toEqual(await b.client.getBlock({ blockNumber: 0n }))
    expect(genesis.timestamp).toBe(BigInt(genesisTime))
    expect(await a.client.getChainId()).toBe(1337)
    for (const { address } of [...userKeys, ...Object.values(roleKeys)]) {
      expect(await a.client.getBalance({ address })).toBe(10n ** 22n)
      expect(await a.client.getTransactionCount({ address })).toBe(0)
    }
  })

  test('given a clock, when it moves seven seconds, then three blocks fall due at even seconds', async () => {
    const { l1, clock, client } = await start()
    await clock.advance(7_000)
    await l1.idle()
    const blocks = await Promise.all(
      [1n, 2n, 3n].map((blockNumber) => client.getBlock({ blockNumber })),
    )
    expect(blocks.map(({ timestamp }) => Number(timestamp) - genesisTime)).toEqual([2, 4, 6])
    expect(await client.getBlockNumber()).toBe(3n)
  })

  test('given a start that takes seven seconds, then what is mined ahead has the slots from the first on, and each has one block', async () => {
    const { l1, clock, client } = await start({ waits: true })
    await clock.advance(7_000)
    expect(await client.getBlockNumber()).toBe(0n)
    const ahead: number[] = []
    for (let block = 0; block < 2; block++) ahead.push((await l1.mineAhead()).timestamp)
    expect(ahead.map((timestamp) => timestamp - genesisTime)).toEqual([2, 4])
    await clock.advance(500)
    await l1.idle()
    ahead.push((await l1.mineAhead()).timestamp, (await l1.mineAhead()).timestamp)
    expect(ahead.slice(2).map((timestamp) => timestamp - genesisTime)).toEqual([8, 10])
    await clock.advance(6_500)
    await l1.idle()
    const count = Number(await client.getBlockNumber()) + 1
    const numbers = Array.from({ length: count }, (_, number) => BigInt(number))
    const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
    const times = blocks.map(({ timestamp }) => Number(timestamp) - genesisTime)
    expect(times).toEqual([0, 2, 4, 6, 8, 10, 12, 14])
  })

  test('given blocks mined by hand, then slots are left out until L2 had the time to follow', async () => {
    const { l1, clock } = await start()
    const mined = async () => Number((await l1.mine()).number)
    for (let block = 0; block < 6; block++) await l1.mine()
    await clock.advance(16_000)
    await l1.idle()
    // Slots 4 and 8 of eight.
    expect(await mined()).toBe(6 + 6 + 1)
    await clock.advance(84_000)
    await l1.idle()
    // Level with the 50 slots, and one block by hand.
    expect(await mined()).toBe(51)
  })

  test('given evm_increaseTime, then every later slot is moved by as much, with a block by hand or without', async () => {
    const { l1, clock, client } = await start()
    const increase = (seconds: number) =>
      client.request({ method: 'evm_increaseTime', params: [seconds] } as never)
    const next = async () => {
      await clock.advance(2_000)
      await l1.idle()
      return Number((await client.getBlock()).timestamp) - genesisTime
    }
    expect(await next()).toBe(2)
    await increase(3600)
    expect([await next(), await next()]).toEqual([3604, 3606])
    await increase(100)
    await client.request({ method: 'evm_mine', params: [] } as never)
    // Slot 4 is left out for the block by hand.
    await next()
    expect([await next(), await next()]).toEqual([3710, 3712])
    // A block of its own time moves nothing.
    await l1.mine(genesisTime + 3715)
    expect(await next()).toBe(3716)
  })

  test('given evm_increaseTime while a slot has its block made, then the time has passed in the next block', async () => {
    const { l1, clock, client } = await start()
    const ask = (method: string, params: unknown[] = []) =>
      client.request({ method, params } as never) as Promise<unknown>
    const head = async () => Number((await client.getBlock()).timestamp)
    const missed: number[] = []
    for (let round = 0; round < 24; round++) {
      const before = await head()
      // So many calls later, so that the jump meets each step of the slot's block.
      const jump = async () => {
        for (let call = 0; call < round % 8; call++) await ask('eth_chainId')
        await ask('evm_increaseTime', [86_400])
        await ask('anvil_mine')
        return await head()
      }
      const [after] = await Promise.all([jump(), clock.advance(2_000).then(() => l1.idle())])
      if (after - before < 86_400) missed.push(round)
    }
    expect(missed).toEqual([])
  })

  test('given evm_setNextBlockTimestamp, then the next block has that time and later slots follow', async () => {
    const { l1, clock, client } = await start()
    const give = (seconds: number) =>
      client.request({
        method: 'evm_setNextBlockTimestamp',
        params: [genesisTime + seconds],
      } as never)
    const head = async () => Number((await client.getBlock()).timestamp) - genesisTime
    const next = async () => {
      await clock.advance(2_000)
      await l1.idle()
      return head()
    }
    expect(await next()).toBe(2)
    await give(7777)
    expect([await next(), await next()]).toEqual([7777, 7779])
    await expect(give(5000)).rejects.toThrow('lower than')
    // Given away to a block by hand; slot 4 is left out for that block.
    await give(9000)
    await client.request({ method: 'evm_mine', params: [] } as never)
    expect(await head()).toBe(9000)
    await next()
    const later = await next()
    expect(later).toBeGreaterThan(9000)
    expect(await next()).toBe(later + 2)
  })

  test('given an L2 that fell behind, then slots are left out until it is near', async () => {
    let taken = 0
    let head = 0n
    const { l1, clock, client } = await start({ takenByL2: () => taken })
    const advance = async (slots: number) => {
      for (let slot = 0; slot < slots; slot++) {
        await clock.advance(2_000)
        await l1.idle()
        head = await client.getBlockNumber()
      }
    }
    await advance(12)
    // Slots 4, 8 and 12, when it had taken none yet of three and more.
    expect(head).toBe(9n)
    taken = 8
    await advance(2)
    taken = 10
    await advance(2)
    expect(head).toBe(13n)
  })

  test('given a block mined by hand, then it has the time of the clock, or of its parent plus one', async () => {
    const { l1, clock } = await start({ blockTime: 0 })
    await clock.advance(5_000)
    const first = await l1.mine()
    const second = await l1.mine()
    expect([first.number, second.number]).toEqual([1n, 2n])
    expect([first.timestamp - genesisTime, second.timestamp - genesisTime]).toEqual([5, 6])
    expect(second.hash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('given ten blocks, then safe is two and finalized four behind', async () => {
    const { l1, client } = await start({ blockTime: 0 })
    for (let block = 0; block < 10; block++) await l1.mine()
    expect((await client.getBlock({ blockTag: 'safe' })).number).toBe(8n)
    expect((await client.getBlock({ blockTag: 'finalized' })).number).toBe(6n)
  })

  test('given no binary, then ANVIL_MISSING says so', async () => {
    await expect(start({ binary: '/nowhere/anvil' })).rejects.toMatchObject({
      code: 'ANVIL_MISSING',
    })
  })

  test('given a program that is not anvil, then ANVIL_FAILED', async () => {
    await expect(start({ binary: '/bin/false' })).rejects.toMatchObject({ code: 'ANVIL_FAILED' })
  })

  test('given every address to listen on, then its own parts find it on loopback', async () => {
    const { l1, client } = await start({ host: '0.0.0.0' })
    expect(l1.url).toMatch(/^http:\/\/0\.0\.0\.0:/)
    expect(l1.rpcUrl).toBe(l1.url.replace('0.0.0.0', '127.0.0.1'))
    expect(await client.getBlockNumber()).toBe(0n)
  })

  test('given a port that is taken, then PORT_BUSY, and no anvil is left', async () => {
    const { l1 } = await start()
    const before = childCount()
    const port = Number(new URL(l1.url).port)
    await expect(start({ port })).rejects.toMatchObject({ code: 'PORT_BUSY' })
    await expect.poll(childCount).toBe(before)
  })

  test('given a page of a foreign site, then L1 alone refuses it too', async () => {
    const { l1 } = await start()
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const reply = await fetch(l1.rpcUrl, { method: 'POST', headers, body })
    expect([reply.status, await reply.text()]).toEqual([
      403,
      expect.stringContaining('ORIGIN_REFUSED'),
    ])
  })

  test('given two stops at once, then both resolve when it is gone', async () => {
    const { l1 } = await start()
    await Promise.all([l1.stop(), l1.stop()])
    expect(processExists(l1.pid)).toBe(false)
    await expect(l1.mine()).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })
  })

  test('given an anvil that ignores SIGTERM because it is stopped, then SIGKILL ends it', async () => {
    const { l1 } = await start()
    process.kill(l1.pid, 'SIGSTOP')
    await l1.stop()
    expect(processExists(l1.pid)).toBe(false)
  })
})

test('given a program that stops L1, then nothing holds it back', async () => {
  const program = `
    import { startL1 } from '${new URL('./start-l1.ts', import.meta.url)}'
    import { systemClock } from '${new URL('../../enclave-sim/protocol/clock/system-clock.ts', import.meta.url)}'
    const l1 = await startL1({ clock: systemClock, genesisTime: ${genesisTime} })
    await l1.stop()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([0, null])
})
