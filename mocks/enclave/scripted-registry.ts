import { pad } from 'viem'
import type { JsonObject, MutantHooks } from '#mocks/zoo/mutant'
import { startMutantProxy } from '#mocks/zoo/mutant-proxy'
import { mutateRpcBody } from '#mocks/zoo/mutate-rpc-body'
import { type Clock, sleep } from '#protocol/clock/clock'

type Hex = `0x${string}`

const ADDRESS: Hex = `0x${'7e'.repeat(20)}`
/** isValidSigner(address). */
const SELECTOR = '0xd5f50582'
/** ImageHashReadFailed(), where no implementation of the game is set. */
const NO_IMAGE_HASH = '0x9fb48269'

export interface ScriptedRegistry {
  /** JSON-RPC URL of an L1 that is the real one but for the registry. */
  url: string
  address: Hex
  /** Signers that are valid right now, in lower case. */
  valid: Set<Hex>
  /** Whether the L1 RPC answers calls of the registry with an error. */
  isDown: boolean
  /** Whether its calls revert, with bytes of a custom error. */
  reverts: boolean
  /** Milliseconds that it takes for an answer. */
  takes: number
  /** Calldata of the calls to the registry so far. */
  readonly calls: string[]
  stop(): Promise<void>
}

/** A TEEProverRegistry that exists in a proxy of L1 alone. */
export async function startScriptedRegistry(options: {
  l1: string
  clock: Clock
}): Promise<ScriptedRegistry> {
  const valid = new Set<Hex>()
  const calls: string[] = []
  const state = { isDown: false, reverts: false, takes: 0 }
  const answer = (data: string): JsonObject => {
    calls.push(data)
    if (state.isDown) return { error: { code: -32000, message: 'the registry is down' } }
    if (state.reverts)
      return { error: { code: -32000, message: 'execution reverted', data: NO_IMAGE_HASH } }
    const signer = `0x${data.slice(-40)}` as Hex
    const isAsked = data.startsWith(SELECTOR)
    return { result: pad(isAsked && valid.has(signer) ? '0x01' : '0x', { size: 32 }) }
  }
  const hooks: MutantHooks = {
    call(call) {
      const [request] = call.params as [JsonObject | undefined]
      const isOurs = String(request?.to).toLowerCase() === ADDRESS
      if (call.method !== 'eth_call' || !isOurs) return call
      const data = String(request?.data ?? request?.input).toLowerCase()
      return { reply: { jsonrpc: '2.0', id: call.id, ...answer(data) } }
    },
  }
  const proxy = await startMutantProxy({
    target: options.l1,
    clock: options.clock,
    mutant: {
      id: 'host.scripted-registry',
      rule: 'ROUTE-06',
      area: 'host',
      target: 'rpc',
      says: 'Has a registry that does what a test says',
      apply: () => ({
        http: async (request, forward) => {
          if (state.takes > 0 && request.body.toLowerCase().includes(ADDRESS))
            await sleep(options.clock, state.takes)
          return mutateRpcBody(request, forward, hooks)
        },
      }),
    },
  })
  return Object.assign(state, {
    url: proxy.url,
    address: ADDRESS,
    valid,
    calls,
    stop: proxy.stop,
  })
}
