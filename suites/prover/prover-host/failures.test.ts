import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gate, type HostBench, hostBench, type RunningHost } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'
import { localEnclave } from './local-enclave.ts'

let chain: HostChain
let bench: HostBench

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 1)
})
afterEach(() => bench.stop())

/** One enclave and no registry. */
const start = (overrides = {}) => bench.start({ registryAddress: undefined, ...overrides })
const prove = async ({ rpc }: RunningHost, signal?: AbortSignal) =>
  await rpc.request('prover_prove', await chain.request(1, 2), signal)
const enclave = () => bench.enclaves[0]!
const refused = (message: unknown) => ({ rpcCode: -32000, message, data: undefined })

describe('the proof request timeout', () => {
  it.each([
    [undefined, 1740],
    [1, 1],
  ])(
    'given an enclave that stalls and a timeout of %s s, when %i s have passed and not before, then -32000 names the block (ERR-12, ERR-13, HOST-RPC-14, HOST-CFG-11)',
    async (setting, seconds) => {
      enclave().reactions.Prove = 'stall'
      const answer = prove(await start(setting && { proofTimeout: setting }))
      let settled = false
      const failed = expect(
        answer.finally(() => {
          settled = true
        }),
      ).rejects.toMatchObject(
        refused(`prover_prove: proof request timed out after ${seconds}s for L2 block 2`),
      )
      await enclave().arrived(1)
      await bench.clock.advance(seconds * 1000 - 1)
      expect(settled).toBe(false)
      await bench.clock.advance(1)
      await failed
    },
  )

  it('given an L2 node that is down, when the timeout has passed, then the same error, and the log has the last failure (OPEN-70, OPEN-71)', async () => {
    chain.obstacle = (method) => {
      if (method === 'debug_dbGet') throw new Error('database closed')
    }
    const host = await start({ proofTimeout: 30 })
    const failed = expect(prove(host)).rejects.toMatchObject(
      refused('prover_prove: proof request timed out after 30s for L2 block 2'),
    )
    await bench.untilLogged('upstream RPC failed, trying again', 1)
    await bench.clock.advance(30_000)
    await failed
    expect(bench.logged.at(-1)).toMatchObject({
      level: 40,
      msg: 'proof request failed',
      reason: 'proof request timed out after 30s for L2 block 2',
      lastFailure: 'l2: debug_dbGet: Internal error',
      block: '2',
    })
    expect(enclave().kinds()).toEqual([])
  })

  it('given one that waits for its turn, when the timeout has passed, then it ends too', async () => {
    enclave().reactions.Prove = 'stall'
    const host = await start()
    const answers = [prove(host), prove(host)].map((answer) =>
      expect(answer).rejects.toMatchObject(refused(expect.stringContaining('timed out'))),
    )
    await enclave().arrived(1)
    await bench.untilLogged('waiting', 1)
    await bench.clock.advance(1_740_000)
    await Promise.all(answers)
    expect(enclave().kinds()).toEqual(['Prove'])
  })
})

describe('an upstream RPC that fails while a witness is built', () => {
  it('given an L1 node that comes back, when it is asked again, then the proof is made, after pauses that grow', async () => {
    let failures = 3
    chain.obstacle = (method) => {
      if (method === 'eth_getBlockByHash' && failures-- > 0) throw new Error('restarting')
    }
    const host = await start()
    const proof = prove(host)
    for (const [count, pause] of [250, 500, 1000].entries()) {
      await bench.untilLogged('upstream RPC failed, trying again', count + 1)
      expect(bench.clock.nextAlarm()).toBe(bench.clock.now() + pause)
      await bench.clock.advance(pause)
    }
    expect(await proof).toHaveProperty('Tee')
    expect(await host.metric('rollbed_prover_upstream_failures_total{chain="l1"}')).toBe(3)
  })

  it('given a node that takes a request and falls silent, when a minute has passed, then it is asked again', async () => {
    const stalled = Promise.withResolvers<void>()
    let stalls = 1
    chain.obstacle = async (method) => {
      if (method !== 'debug_dbGet' || stalls-- <= 0) return
      stalled.resolve()
      await new Promise(() => undefined)
    }
    const proof = prove(await start())
    await stalled.promise
    await bench.clock.advance(60_000)
    await bench.untilLogged('upstream RPC failed, trying again', 1)
    await bench.clock.advance(250)
    expect(await proof).toHaveProperty('Tee')
  })

  it('given a caller that leaves, when its node is down, then nothing is asked any more', async () => {
    chain.obstacle = (method) => {
      if (method === 'debug_dbGet') throw new Error('database closed')
    }
    const caller = new AbortController()
    const host = await start()
    const left = expect(prove(host, caller.signal)).rejects.toThrow('I am off')
    await bench.untilLogged('upstream RPC failed, trying again', 1)
    caller.abort(new Error('I am off'))
    await left
    await bench.untilLogged('proof request failed', 1)
    const asked = chain.calls.length
    await bench.clock.advance(1_740_000)
    expect(chain.calls).toHaveLength(asked)
    expect(
      await host.metric('rollbed_prover_requests_total{method="prover_prove",code="gone"}'),
    ).toBe(1)
  })

  it('given a definite answer, when it says there is no such block, then the request fails at once', async () => {
    const { rpc } = await start()
    const [request] = await chain.request(1, 2)
    const unknown = `0x${'99'.repeat(32)}`
    await expect(
      rpc.request('prover_prove', [{ ...request, l1_head: unknown }]),
    ).rejects.toMatchObject(
      refused(
        `prover_prove: witness generation failed: The node has no header of block ${unknown}.`,
      ),
    )
  })
})

describe('a proof that cannot be made', () => {
  it('given a wrong claim, when proving, then the host itself refuses and the enclave gets nothing (ERR-14)', async () => {
    const { rpc } = await start()
    const [request] = await chain.request(1, 2)
    const claimed = `0x${'99'.repeat(32)}`
    await expect(
      rpc.request('prover_prove', [{ ...request, claimed_l2_output_root: claimed }]),
    ).rejects.toMatchObject(
      refused(
        `prover_prove: witness generation failed: invalid claim: computed ${request.claimed_l2_output_root}, claimed ${claimed}`,
      ),
    )
    expect(enclave().connections()).toBe(0)
  })

  it('given an enclave error, when proving, then its own message comes back (ERR-14, ERR-15)', async () => {
    enclave().reactions.Prove = {
      kind: 'Error',
      message: 'invalid claim: computed 0x1, claimed 0x2',
    }
    await expect(prove(await start())).rejects.toMatchObject(
      refused('prover_prove: invalid claim: computed 0x1, claimed 0x2'),
    )
  })

  it('given an enclave that does not know the chain, when proving, then its UnsupportedChain comes back and no signature (ERR-16, ERR-17)', async () => {
    const real = await localEnclave({ clock: bench.clock, chains: new Map() })
    try {
      const host = await start({ endpoints: new Map([[99, real.endpoint]]) })
      await expect(prove(host)).rejects.toMatchObject(
        refused('prover_prove: unsupported chain: 84538453'),
      )
      expect(real.logged).not.toContain('proved')
    } finally {
      await real.stop()
    }
  })

  it('given nine that wait, when a tenth comes, then -32002 enclave busy (OPEN-91)', async () => {
    const slow = gate(enclave().reactions.Prove)
    enclave().reactions.Prove = slow.promise
    const host = await start()
    const answers = [prove(host)]
    await enclave().arrived(1)
    for (let count = 1; count <= 8; count += 1) answers.push(prove(host))
    await bench.untilLogged('waiting', 8)
    await expect(prove(host)).rejects.toMatchObject({
      rpcCode: -32002,
      message: 'prover_prove: enclave busy: too many proof requests are waiting',
    })
    slow.open()
    expect(await Promise.all(answers)).toHaveLength(9)
  })

  it('given a caller that leaves, when its proof runs in the enclave, then the connection is closed and the next begins', async () => {
    const proof = await enclave().reactions.Prove
    enclave().reactions.Prove = 'stall'
    const host = await start()
    const caller = new AbortController()
    const left = expect(prove(host, caller.signal)).rejects.toThrow('I am off')
    await enclave().arrived(1)
    const next = prove(host)
    await bench.untilLogged('waiting', 1)
    enclave().reactions.Prove = proof
    caller.abort(new Error('I am off'))
    await left
    expect(await next).toHaveProperty('Tee')
  })
})
