import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { type RunningNodeRpc, startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import { LOGGER } from '#devnet/l2/node/rpc/testing/contracts'
import { CONFIG, createTestNode, word } from '#devnet/l2/node/rpc/testing/test-node'
import { systemClock } from '#protocol/clock/system-clock'
import { loadCaseFiles, type SimulateCase } from './load-case-files.ts'
import { mismatches, type References, resolve } from './mismatches.ts'

const running: RunningNodeRpc[] = []
const nodes = {} as Record<SimulateCase['profile'], RpcClient>

beforeAll(async () => {
  const { chain, sign } = await createTestNode()
  await chain.seal()
  await chain.flashblock(await sign({ to: LOGGER, data: `${word(1)}${word(2).slice(2)}` }))
  for (const profile of ['spec', 'base'] as const) {
    const node = await startNodeRpc({ chain, config: CONFIG, clock: systemClock, port: 0, profile })
    running.push(node)
    nodes[profile] = httpRpcClient(node.url)
  }
})
afterAll(() => Promise.all(running.map((node) => node.stop())))

async function run(one: SimulateCase): Promise<string[]> {
  const node = nodes[one.profile]
  const latest = (await node.request('eth_getBlockByNumber', ['latest', false])) as object
  const references = { latest } as References
  const request = resolve(one.request, references)
  const answer = await node.request('eth_simulateV1', [request, one.block]).catch((error) => {
    if (error instanceof RpcRefused) return error
    throw error
  })
  if (answer instanceof RpcRefused) {
    if (!one.error) return [`refused: ${answer.rpcCode} ${answer.message}`]
    const { code, message = '' } = one.error
    const { rpcCode, message: words } = answer
    return rpcCode === code && words.includes(message) ? [] : [`error: ${rpcCode} ${words}`]
  }
  if (!one.result) return ['was answered, and should be refused']
  return mismatches(answer, one.result, { ...references, ...(answer as object[]) } as References)
}

describe.each(loadCaseFiles())('eth_simulateV1, $category', ({ cases }) => {
  test.each(cases)('given $name, then nothing differs from what is expected', async (one) => {
    expect(await run(one)).toEqual([])
  })
})

test('given all cases, then each has a name of its own and expects either a result or an error', () => {
  const cases = loadCaseFiles().flatMap((file) => file.cases)
  expect(
    cases.filter(({ result, error }) => (result === undefined) === (error === undefined)),
  ).toEqual([])
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})
