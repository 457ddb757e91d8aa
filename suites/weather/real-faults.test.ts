import { createPublicClient, http as viemHttp } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ faults: true, logLevel: 'silent' })
})
afterAll(() => devnet.stop())

/** Resolves with the first new block for which this holds. */
function block(holds: (number: bigint) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const forget = devnet.node.chain.on('sealed', ({ header }) => {
    if (!holds(header.number)) return
    forget()
    resolve()
  })
  return promise
}

describe('a devnet that takes faults', () => {
  const l2 = () => httpRpcClient(devnet.description.faultsUrl!)
  const inject = (...params: unknown[]) =>
    l2().request('rollbed_faultInject', params) as Promise<{ id: number }>
  const clear = (id?: number) => l2().request('rollbed_faultClear', id === undefined ? [] : [id])

  test('when asked, then it lists every target that it has', async () => {
    const { targets } = (await l2().request('rollbed_faultList', [])) as {
      targets: { target: string; faults: string[] }[]
    }
    expect(targets.map(({ target }) => target).sort()).toEqual([
      'chain:l1',
      'chain:l2',
      'clock:host',
      'disk:api',
      'disk:state',
      'link:actor-host',
      'link:actor-rollup',
      'link:batcher-l1',
      'link:client-api',
      'link:client-l1',
      'link:client-l2',
      'link:host-beacon',
      'link:host-enclave.16',
      'link:host-l1',
      'link:host-l2',
      'link:host-registry',
      'link:node-l1',
      'link:safe-head-l1',
      'link:subscriber',
      'process:api',
      'process:enclave.16',
      'process:host',
      'process:l1',
      'registry:l1',
      'worker:calls',
    ])
  })

  test('given latency on a link, when asked over it, then the answer is late', async () => {
    const { rollupRpcUrl } = devnet.description
    const took = async () => {
      const before = systemClock.now()
      await httpRpcClient(rollupRpcUrl).request('optimism_syncStatus', [])
      return systemClock.now() - before
    }
    const { id } = await inject('link:actor-rollup', 'latency', { latency: 200 })
    expect(await took()).toBeGreaterThanOrEqual(399)
    expect(await clear(id)).toBe(1)
    await took()
  })

  test('given users whose way to L2 is cut, then L2 goes on', async () => {
    await inject('link:client-l2', 'down')
    const { rpcUrl } = devnet.description
    await expect(httpRpcClient(rpcUrl).request('eth_blockNumber', [])).rejects.toMatchObject({
      code: 'RPC_UNREACHABLE',
    })
    await block(() => true)
    await clear()
    expect(await httpRpcClient(rpcUrl).request('eth_chainId', [])).toBeDefined()
  })

  test('given injectFault and clearFault of testActions, when one of two faults is cleared by its id, then the other lasts until all are', async () => {
    const { rpcUrl, faultsUrl } = devnet.description
    const client = createPublicClient({ transport: viemHttp(faultsUrl) }).extend(testActions())
    const cut = await client.injectFault({ target: 'link:client-l2', fault: 'down' })
    await client.injectFault({
      ...{ target: 'link:actor-rollup', fault: 'latency', with: { latency: 1 } },
    })
    const ask = () => httpRpcClient(rpcUrl).request('eth_chainId', [])
    await expect(ask()).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })
    expect(await client.clearFault({ id: cut.id })).toBe(1)
    expect(await ask()).toBeDefined()
    expect(await client.clearFault()).toBe(1)
    expect(await client.clearFault()).toBe(0)
  })

  test('given threads of calls that stand still or are dead, then what needs none is answered', async () => {
    const { rpcUrl } = devnet.description
    const ask = () => httpRpcClient(rpcUrl).request('eth_chainId', [])
    const { id } = await inject('worker:calls', 'stop')
    expect(await ask()).toBeDefined()
    expect(await clear(id)).toBe(1)
    await inject('worker:calls', 'kill')
    expect(await ask()).toBeDefined()
    expect(await clear()).toBe(0)
  })

  test('given an API that is killed, then it comes back with every code', async () => {
    const register = async () => {
      const answer = await fetch(`${devnet.description.apiUrl}/v1/agents/builder-codes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: '0x00000000000000000000000000000000000000aa' }),
      })
      return ((await answer.json()) as { builderCode: string }).builderCode
    }
    const code = await register()
    const before = devnet.recorder.events.length
    await inject('process:api', 'restart')
    expect(devnet.recorder.events.slice(before).map(({ what }) => what)).toEqual([
      'fault.on',
      'fault.off',
    ])
    expect(await register()).toBe(code)
  })

  test('given builder codes on a disk that takes nothing, then each is refused, it is told as what waits, and that ends with the next that is stored', async () => {
    const { apiUrl } = devnet.description
    const register = (last: string) =>
      fetch(`${apiUrl}/v1/agents/builder-codes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: `0x${'00'.repeat(19)}${last}` }),
      })
    const { id } = await inject('disk:api', 'read_only')
    const refused = await register('b1')
    expect(refused.status).toBe(500)
    expect(await refused.json()).toEqual({
      error: { code: 'INTERNAL', message: 'The registration could not be stored.' },
    })
    const waits = await fetch(`${apiUrl}/healthz`)
    expect(waits.status).toBe(503)
    expect(await waits.json()).toMatchObject({
      status: 'waiting',
      warnings: expect.arrayContaining([
        expect.objectContaining({
          ...{ part: 'builder codes', waits: true },
          problem: expect.stringMatching(/readonly/),
        }),
      ]),
    })
    await clear(id)
    expect((await register('b1')).status).toBe(201)
    const after = await (await fetch(`${apiUrl}/healthz`)).text()
    expect(after).not.toContain('builder codes')
  })

  test('given an L1 that stands still, then it makes no block, and then goes on', async () => {
    const l1 = httpRpcClient(devnet.l1.rpcUrl)
    const { id } = await inject('chain:l1', 'still')
    await devnet.l1.idle()
    const stands = await l1.request('eth_blockNumber', [])
    const { number } = devnet.node.chain.latest().header
    await block((next) => next >= number + 2n)
    expect(await l1.request('eth_blockNumber', [])).toBe(stands)
    await clear(id)
    await block((next) => next >= number + 4n)
    await devnet.l1.idle()
    expect(BigInt(String(await l1.request('eth_blockNumber', [])))).toBeGreaterThan(
      BigInt(String(stands)),
    )
  })

  test.each([
    ['link:moon', 'down', {}, /no target/],
    ['process:l1', 'reorg', {}, /cannot be done/],
    ['link:host-l1', 'latency', { lag: 1 }, /cannot be told/],
    [7, 'down', {}, /Invalid params/],
  ])(
    'given %s %s %j, then -32602 says what is wrong',
    async (target, fault, parameters, message) => {
      await expect(inject(target, fault, parameters)).rejects.toMatchObject({
        rpcCode: -32602,
        message: expect.stringMatching(message),
      })
    },
  )

  test('given an enclave that is killed, then another stands in its place with a new signer', async () => {
    const [{ signer: before } = { signer: '' }] = devnet.description.enclaves
    const back = Promise.withResolvers<void>()
    await inject('process:enclave.16', 'kill')
    const forget = devnet.node.chain.on('sealed', () => {
      const isBack = devnet.health().dead.length === 0
      if (!isBack || devnet.description.enclaves[0]!.signer === before) return
      forget()
      back.resolve()
    })
    await back.promise
    expect(devnet.description.enclaves[0]!.signer).not.toBe(before)
  })
})
