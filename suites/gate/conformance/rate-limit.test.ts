import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { ConformanceCase } from './conformance-case.ts'
import { runConformance } from './run-conformance.ts'
import { TIP } from './testing-target.ts'
import { createTargetLine } from './wire/target-line.ts'

let stop: (() => void) | undefined
afterEach(() => stop?.())

/** Refuses the first `refusals` POSTs of a case, as a rate limiter in front of a node does. */
async function limitedTarget(refusals: number, headers: Record<string, string>, status = 429) {
  let left = refusals
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (body.includes('eth_getLogs') && left-- > 0) {
        return response.writeHead(status, headers).end('slow down')
      }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: TIP }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const asks: ConformanceCase = {
  id: 'rpc.test.asks.01',
  title: 'A case made for a test',
  area: 'envelope',
  rules: ['RPC-ENV-01'],
  needs: ['rpc'],
  rationale: 'It needs an answer.',
  run: async ({ rpc }) => void (await rpc.result('eth_getLogs', [{}])),
}

const judge = async (rpc: string, clock: Clock = systemClock) =>
  (await runConformance({ targets: { rpc }, cases: [asks], clock })).cases[0]!

describe('given a target that limits requests', () => {
  test.each([429, 503])(
    'then HTTP %i is no failure but unknown, with the cause',
    async (status) => {
      const judged = await judge(await limitedTarget(1, {}, status))
      expect(judged).toMatchObject({ verdict: 'unknown' })
      expect(judged.reason).toContain(`HTTP ${status}`)
      expect(judged.reason).toContain('--rps')
    },
  )

  test('then Retry-After is waited for, and the case passes', async () => {
    const judged = await judge(await limitedTarget(2, { 'retry-after': '0' }))
    expect(judged).toMatchObject({ verdict: 'pass' })
    expect(judged.exchanges.map(({ status }) => status)).toEqual([429, 429, 200])
  })

  test('then one that never lets anybody pass ends as unknown', async () => {
    const judged = await judge(await limitedTarget(Infinity, { 'retry-after': '0' }))
    expect(judged).toMatchObject({ verdict: 'unknown' })
    expect(judged.exchanges).toHaveLength(5)
  })
})

describe('the line to the targets', () => {
  const passing = async (clock: VirtualClock, line: { take(s: AbortSignal): Promise<void> }) => {
    const passed: number[] = []
    const { signal } = new AbortController()
    const all = Array.from({ length: 5 }, () =>
      line.take(signal).then(() => passed.push(clock.now())),
    )
    await clock.advance(10_000)
    await Promise.all(all)
    return passed.map((at) => at - passed[0]!)
  }

  test('given 2 requests a second, then each waits half a second', async () => {
    const clock = new VirtualClock()
    expect(await passing(clock, createTargetLine({ clock, rps: 2 }))).toEqual([
      0, 500, 1_000, 1_500, 2_000,
    ])
  })

  test('given a hold, then nobody passes before its end', async () => {
    const clock = new VirtualClock()
    const line = createTargetLine({ clock })
    line.hold(3_000)
    const start = clock.now()
    const { signal } = new AbortController()
    const at = line.take(signal).then(() => clock.now() - start)
    await clock.advance(5_000)
    expect(await at).toBe(3_000)
  })
})
