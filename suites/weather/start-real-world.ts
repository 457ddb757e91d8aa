import { WebSocket } from 'ws'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import { recordChain, recordSealed } from '#devnet/rollup/world/record-chain'
import type { Subscriber, SubscriberEvents, World } from '#devnet/rollup/world/world'
import { startDevnet } from '#devnet/start-devnet'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'

/**
 * Starts what `rollbed up --faults` starts, as a world: the wall clock, anvil, processes, sockets.
 * A plan repeats in it; what happens meanwhile is checked, not compared.
 */
export async function startRealWorld(
  options: { seed: number; devnet?: DevnetOptions } & Partial<Pick<FaultPlan, 'world'>>,
): Promise<World> {
  const clock = systemClock
  const { blockTime = 1, actors = false, blobs = false, upgrades } = options.world ?? {}
  const devnet = await startDevnet({
    faults: true,
    seed: options.seed,
    ...{ blockTime, actors, upgrades },
    dataAvailability: blobs ? 'blobs' : 'calldata',
    logLevel: 'silent',
    ...options.devnet,
  })
  const { description, recorder } = devnet
  const { chain } = devnet.node
  recordChain(chain, recorder)
  // Some were sealed before anybody could listen.
  for (let number = 1n; number <= chain.latest().header.number; number++)
    recordSealed(chain.blockByNumber(number)!, recorder)
  const began = clock.now()
  const now = () => clock.now() - began
  return {
    kind: 'real',
    clock,
    rng: seededRng(`load:${options.seed}`),
    facts: description,
    rollupConfig: devnet.config,
    recorder,
    faults: devnet.faults!,
    clients: {
      l2: httpRpcClient(description.rpcUrl),
      l1: httpRpcClient(description.l1RpcUrl),
      rollup: httpRpcClient(description.rollupRpcUrl),
      host: httpRpcClient(description.proverUrl || description.rpcUrl),
      async api({ method, path, body, headers }, signal) {
        const answer = await fetch(`${description.apiUrl}${path}`, {
          method,
          ...(body !== undefined && { body }),
          ...(headers && { headers }),
          ...(signal && { signal }),
        })
        return { status: answer.status, body: await answer.text() }
      },
      subscriber: (events) => openSubscriber(description.wsUrl, events),
      enclave(cid) {
        const { endpoint } = description.enclaves.find((each) => each.cid === cid)!
        const parsed = parseEndpoint(endpoint)
        return enclaveClient({
          ...{ cid, clock },
          connect: () => connect(parsed, { clock, timeout: 10_000 }),
        })
      },
    },
    now,
    async runUntil(time) {
      if (time > now()) await sleep(clock, time - now())
    },
    stop: () => devnet.stop(),
    [Symbol.asyncDispose]: () => devnet.stop(),
  }
}

async function openSubscriber(url: string, events: SubscriberEvents): Promise<Subscriber> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const opened = Promise.withResolvers<void>()
  let id = 0
  socket.on('open', () => opened.resolve())
  socket.on('error', (error) => opened.reject(error))
  socket.on('close', (code, reason) => {
    const why = new Error(`closed: ${code} ${reason}`)
    opened.reject(why)
    for (const { reject } of waiting.values()) reject(why)
    events.closed(why.message)
  })
  socket.on('message', (text) => {
    const message = JSON.parse(String(text))
    if (message.method === 'eth_subscription') return events.notification(message.params)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) asked?.reject(new Error(message.error.message))
    else asked?.resolve(message.result)
  })
  await opened.promise
  return {
    request(method, params) {
      id += 1
      const asked = Promise.withResolvers<unknown>()
      waiting.set(id, asked)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return asked.promise
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  }
}
