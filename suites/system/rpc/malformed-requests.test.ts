import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { LOGGER } from '#devnet/l2/node/rpc/testing/contracts'
import { createTestNode, word } from '#devnet/l2/node/rpc/testing/test-node'
import { systemClock } from '#protocol/clock/system-clock'
import { arbitraryParams } from './arbitrary-params.ts'

/** ROLLBED_FUZZ_RUNS and ROLLBED_FUZZ_SEED widen and vary the run; a failure prints its seed. */
const RUNS = Number(process.env.ROLLBED_FUZZ_RUNS ?? 3_000)
const SEED = Number(process.env.ROLLBED_FUZZ_SEED ?? 20_261_121)

let url: string
let names: string[]
const internal: unknown[] = []
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  const { chain, methods, sign } = await createTestNode()
  await chain.mine(await sign({ to: LOGGER, data: `${word(1)}${word(2).slice(2)}` }))
  await chain.flashblock(await sign({ to: LOGGER, data: `${word(3)}${word(4).slice(2)}` }))
  names = Object.keys(methods)
  const server = createJsonRpcServer({
    methods,
    clock: systemClock,
    onInternalError: (error, method) => internal.push({ method, error }),
  })
  cleanups.push(() => server.close())
  url = `http://127.0.0.1:${await server.listen({ port: 0 })}`
})
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
})

async function post(body: string | Uint8Array<ArrayBuffer>): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

function expectResponse(reply: unknown, id: unknown): void {
  const { jsonrpc, id: echoed, result, error, ...rest } = reply as Record<string, unknown>
  expect({ jsonrpc, echoed, rest }).toStrictEqual({ jsonrpc: '2.0', echoed: id, rest: {} })
  expect((result === undefined) !== (error === undefined)).toBe(true)
  if (error === undefined) return
  const { code, message } = error as { code: unknown; message: unknown }
  expect(Number.isInteger(code)).toBe(true)
  expect(typeof message).toBe('string')
}

test('given any params of any method, then there is a result or an error, and no exception of ours', async () => {
  const request = fc
    .nat({ max: 1e6 })
    .chain((pick) => {
      const method = names[pick % names.length]!
      return fc.tuple(fc.constant(method), arbitraryParams(method))
    })
    .map(([method, params]) => ({ jsonrpc: '2.0', id: 7, method, params }))
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (batch) => {
      const replies = (await post(JSON.stringify(batch))) as unknown[]
      expect(replies).toHaveLength(batch.length)
      for (const reply of replies) expectResponse(reply, 7)
      expect(internal).toStrictEqual([])
    }),
    { numRuns: RUNS / 10, seed: SEED },
  )
})

test('given any JSON as a request object, then there is an error or a result', async () => {
  const member = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('2.0', 'eth_chainId', 1))
  const request = fc.oneof(
    fc.record(
      { jsonrpc: member, id: member, method: member, params: member },
      { requiredKeys: [] },
    ),
    fc.jsonValue({ maxDepth: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(request, async (body) => {
      const replies = await post(JSON.stringify(body))
      const list = Array.isArray(replies) ? replies : replies === undefined ? [] : [replies]
      for (const reply of list) expectResponse(reply, (reply as { id: unknown }).id)
    }),
    { numRuns: RUNS / 5, seed: SEED },
  )
})

test('given any bytes as a body, then there is -32700, -32600 or a proper answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const reply = await post(new Uint8Array(bytes))
      expectResponse(reply, null)
      expect([-32700, -32600]).toContain((reply as { error: { code: number } }).error.code)
    }),
    { numRuns: RUNS / 10, seed: SEED },
  )
})
