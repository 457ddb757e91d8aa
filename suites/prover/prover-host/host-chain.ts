import { bytesToHex } from '@ethereumjs/util'
import { numberToHex } from 'viem'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { proofRequestJson } from '#devnet/proving/prover/proof-json'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { type TestChain, testChain } from '../proving/test-chain.ts'
import { type ScriptedRegistry, scriptedRegistry } from './scripted-registry.ts'

const L1_METHODS = ['eth_getBlockByHash', 'eth_getBlockReceipts']
const L2_METHODS = [
  'debug_getRawHeader',
  'debug_getRawBlock',
  'debug_dbGet',
  'eth_getBlockByNumber',
]

/** Stands before a method of L1 or L2: fails, stalls, or lets the call pass by returning nothing. */
type Obstacle = (method: string) => Promise<void> | void

export interface HostChain {
  readonly chain: TestChain
  readonly l1Url: string
  readonly l2Url: string
  readonly registry: ScriptedRegistry
  /** debug_executePayload of the L2 node; undefined: it does not have the method. */
  executePayload: RpcMethod | undefined
  obstacle: Obstacle
  /** Calls that came over HTTP, by method. */
  readonly calls: string[]
  /** Params of a prover_prove whose claim holds. */
  request(from: number, to: number): Promise<[ReturnType<typeof proofRequestJson>]>
  stop(): Promise<void>
}

/** Four L2 blocks whose batches are on L1, and both chains behind real HTTP: what a host is pointed at. */
export async function hostChain(): Promise<HostChain> {
  const resources = new ResourceStack()
  const chain = resources.add(await testChain())
  await chain.build([await chain.sign()])
  await chain.build()
  // Noise, so that the witness is longer than any one write to a socket.
  const data = bytesToHex(seededRng('calldata').bytes(60_000))
  await chain.build([await chain.sign({ data, gas: 4_000_000n })])
  await chain.build()
  await chain.post()
  const registry = scriptedRegistry()
  const calls: string[] = []

  const guarded = (method: string, answer: RpcMethod): RpcMethod => {
    return async (params, context) => {
      calls.push(method)
      await host.obstacle(method)
      try {
        return await answer(params, context)
      } catch (error) {
        // A refusal stays one on its way through the stub.
        throw error instanceof RpcRefused ? new JsonRpcError(error.rpcCode, error.message) : error
      }
    }
  }
  const { l1ChainId, l2ChainId } = chain.config
  const serve = async (chainId: number, methods: Record<string, RpcMethod>) => {
    const guardedMethods = Object.entries(methods).map(([name, answer]) => [
      name,
      guarded(name, answer),
    ])
    let head = 0
    const server = createJsonRpcServer({
      methods: {
        eth_chainId: async () => numberToHex(chainId),
        eth_blockNumber: async () => {
          await host.obstacle('eth_blockNumber')
          head += 1
          return numberToHex(head)
        },
        ...Object.fromEntries(guardedMethods),
      },
      clock: new VirtualClock(),
    })
    const port = await server.listen({ port: 0 })
    resources.add({ stop: () => server.close() })
    return `http://127.0.0.1:${port}`
  }
  const forwarded = (names: readonly string[], to: TestChain['l1']) =>
    Object.fromEntries(
      names.map((name): [string, RpcMethod] => [
        name,
        (params) => to.request(name, Array.isArray(params) ? params : []),
      ]),
    )
  const host: HostChain = {
    chain,
    registry,
    executePayload: undefined,
    l1Url: await serve(l1ChainId, {
      ...forwarded(L1_METHODS, chain.l1),
      eth_call: (params) => registry.call(params),
    }),
    l2Url: await serve(l2ChainId, {
      ...forwarded(L2_METHODS, chain.l2),
      debug_executePayload: (params, context) => {
        if (host.executePayload) return host.executePayload(params, context)
        throw new JsonRpcError(-32601, 'Method not found')
      },
    }),
    obstacle: () => undefined,
    calls,
    request: async (from, to) => [proofRequestJson(await chain.request(from, to))],
    stop: () => resources.stop(),
  }
  return host
}
