import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { JsonRpcServer } from '#devnet/base/json-rpc/json-rpc-server'
import { startDevnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'
import { chainFaults } from './chain-faults.ts'
import { testScene } from './test-scene.ts'

const fault = { target: 'l1', fault: 'still' } as const

/** Those that are in force; the first does not end as long as `holds`. */
let inForce: Set<number>
let holds: boolean
let server: JsonRpcServer
let faultsUrl: string
beforeEach(async () => {
  inForce = new Set()
  holds = true
  let last = 0
  server = createJsonRpcServer({
    clock: systemClock,
    methods: {
      rollbed_faultInject() {
        last += 1
        inForce.add(last)
        return { id: last }
      },
      rollbed_faultClear(params) {
        const [id] = params as [number]
        if (holds && id === 1) throw new Error('The disk is busy.')
        return inForce.delete(id) ? 1 : 0
      },
    },
  })
  faultsUrl = `http://127.0.0.1:${await server.listen({ port: 0 })}`
})
afterEach(() => server.close())

test('given a fault that does not end, when all are cleared, then the others end, and it can be cleared later', async () => {
  const { faults, clearAll } = chainFaults({} as never, { faultsUrl, rpcUrl: faultsUrl })
  const first = await faults.inject(fault)
  await faults.inject(fault)
  await faults.inject(fault)
  await expect(clearAll()).rejects.toMatchObject({ code: 'RPC_REFUSED' })
  expect(inForce).toEqual(new Set([1]))
  await expect(first.clear()).rejects.toMatchObject({ code: 'RPC_REFUSED' })
  holds = false
  await first.clear()
  expect(inForce).toEqual(new Set())
})

test('given a fault that does not end, when its scene closes, then the connection ends all the same', async () => {
  await using devnet = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  await using branch = await devnet.branch()
  const close = vi.fn()
  const inProcess = () => ({ send() {}, close })
  const scene = testScene({ ...devnet.description, faultsUrl }, { ...branch, inProcess })
  await scene.faults.inject(fault)
  await expect(scene.close()).rejects.toMatchObject({ code: 'RPC_REFUSED' })
  expect(close).toHaveBeenCalledTimes(1)
})
