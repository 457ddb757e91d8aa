import { Agent, request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gate, type HostBench, hostBench } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

let chain: HostChain
let bench: HostBench
/** Keeps its connections open after an answer, as proposers' HTTP clients do. */
let agent: Agent

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 1)
  agent = new Agent({ keepAlive: true })
})
afterEach(async () => {
  agent.destroy()
  await bench.stop()
})

const start = (overrides = {}) => bench.start({ registryAddress: undefined, ...overrides })

function post(url: string, method: string, params: unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const call = httpRequest(url, { method: 'POST', agent, headers })
    call.on('error', reject)
    call.on('response', (response) => json(response).then(resolve, reject))
    call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  })
}

describe('stop of the prover host', () => {
  it('given a proof in flight and one that waits, when stopped, then both are finished, new calls are refused, and the host ends (HOST-START-07, HOST-START-08)', async () => {
    const [enclave] = bench.enclaves
    const slow = gate(enclave!.reactions.Prove)
    enclave!.reactions.Prove = slow.promise
    const { url, rpc, stop } = await start()
    const params = await chain.request(1, 2)
    const answers = [post(url, 'prover_prove', params)]
    await enclave!.arrived(1)
    answers.push(post(url, 'prover_prove', params))
    await bench.untilLogged('waiting', 1)

    const stopped = stop()
    await expect(rpc.request('healthz', [])).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })
    slow.open()
    for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result.Tee')
    await stopped
  })

  it('given a connection that is kept open but idle, when stopped, then the host ends without waiting', async () => {
    const { url, stop } = await start()
    expect(await post(url, 'healthz', [])).toHaveProperty('result.version')
    await stop()
  })

  it('given a proof that never ends, when the grace is over and not before, then it is cut off and its enclave connection closed', async () => {
    bench.enclaves[0]!.reactions.Prove = 'stall'
    const { url, stop } = await start({ shutdownGrace: 60 })
    const cut = expect(post(url, 'prover_prove', await chain.request(1, 2))).rejects.toThrow()
    await bench.enclaves[0]!.arrived(1)
    let ended = false
    const stopped = stop().finally(() => {
      ended = true
    })
    await bench.clock.advance(59_999)
    expect(ended).toBe(false)
    await bench.clock.advance(1)
    await Promise.all([cut, stopped, bench.untilLogged('proof request failed', 1)])
  })

  it('given a stop, when asked for twice, then it is one', async () => {
    const { stop } = await start()
    await Promise.all([stop(), stop()])
  })
})
