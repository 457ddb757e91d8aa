import { afterEach, expect, test, vi } from 'vitest'
import { hastyClock } from '../testing/hasty-clock.ts'
import ownDriver from './own-driver.ts'

const key = (index: number) => `0x${`${index}`.repeat(64)}`
const HASH = `0x${'ab'.repeat(32)}` as const

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** @param answers by method: a result, or an error that is thrown */
async function startDriver(answers: Record<string, () => unknown>, rps?: number) {
  const asked: { method: string; key: string | null }[] = []
  vi.stubEnv('DRIVER_KEYS', [1, 2, 3, 4].map(key).join(','))
  vi.stubGlobal('fetch', async (_url: string, { body, headers }: RequestInit) => {
    const { id, method } = JSON.parse(String(body))
    asked.push({ method, key: new Headers(headers).get('x-key') })
    const begun = { eth_chainId: () => '0x1', eth_getTransactionCount: () => '0x0', ...answers }
    const answer = (begun as typeof answers)[method]!()
    const outcome =
      answer instanceof Error ? { error: { code: -32602, message: '' } } : { result: answer }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  })
  const clock = hastyClock()
  const end = new AbortController()
  const driver = await ownDriver({
    targets: { rpc: 'http://127.0.0.1:1' },
    clock,
    signal: end.signal,
    headers: { 'x-key': 'secret' },
    ...(rps && { rps }),
  })
  return { driver, asked, clock, end }
}

test('given an API key, when anything is asked, then it goes along', async () => {
  let height = 5
  const { driver, asked } = await startDriver({ eth_blockNumber: () => `0x${height++}` })
  await driver.blockStart()
  expect(new Set(asked.map((each) => each.key))).toEqual(new Set(['secret']))
  expect(asked.filter(({ method }) => method === 'eth_blockNumber')).toHaveLength(2)
})

test('given a run that is given up, when it waits for a block, then it ends with that reason', async () => {
  let looks = 0
  const { driver, end } = await startDriver({
    eth_blockNumber() {
      if (++looks === 4) end.abort(new Error('given up'))
      return '0x5'
    },
  })
  await expect(driver.blockStart()).rejects.toThrow('given up')
  expect(looks).toBe(4)
})

test('given a node that fails, when it waits for a block, then it ends and asks no more', async () => {
  let looks = 0
  const { driver } = await startDriver({
    eth_blockNumber: () => (++looks === 3 ? new Error() : '0x5'),
  })
  await expect(driver.blockStart()).rejects.toThrow()
  expect(looks).toBe(3)
})

test('given a chain that stands still, when it waits for a block, then it ends in time', async () => {
  const { driver, clock } = await startDriver({ eth_blockNumber: () => '0x5' })
  const before = clock.now()
  await expect(driver.blockStart()).rejects.toThrow('Nothing came')
  expect(clock.now() - before).toBe(60_000)
})

test('given a pace, when it waits, then it asks as seldom', async () => {
  let looks = 0
  const { driver, clock } = await startDriver(
    { eth_blockNumber: () => (++looks > 3 ? '0x6' : '0x5') },
    2,
  )
  const before = clock.now()
  await driver.blockStart()
  expect(clock.now() - before).toBe(4_000)
})

test('given a receipt of a block that is not sealed yet, then the one of the sealed block counts', async () => {
  let looks = 0
  const receipt = (blockHash: string) => ({
    blockNumber: '0x6',
    blockHash,
    transactionHash: HASH,
    transactionIndex: '0x1',
    gasUsed: '0x5208',
    status: '0x1',
    contractAddress: null,
    logs: [],
    type: '0x2',
  })
  const { driver } = await startDriver({
    eth_blockNumber: () => (++looks > 2 ? '0x6' : '0x5'),
    eth_getTransactionReceipt: () =>
      [null, receipt(`0x${'00'.repeat(32)}`), receipt(HASH)][looks - 1],
  })
  expect(await driver.sealed(HASH)).toMatchObject({ blockHash: HASH, blockNumber: 6n, index: 1 })
})
