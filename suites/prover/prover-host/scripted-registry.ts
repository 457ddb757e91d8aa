import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from 'viem'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { Address } from '#protocol/types/bytes'

const ABI = parseAbi(['function isValidSigner(address signer) view returns (bool)'])

/** How the L1 node treats calls to the registry. */
export type RegistryMood = 'up' | 'down' | 'stalls' | 'not deployed'

export interface ScriptedRegistry {
  readonly address: Address
  /** Lower case. */
  valid: Address[]
  mood: RegistryMood
  /** Every call so far; signers in lower case. */
  calls: { to: Address; signer: Address }[]
  /** Resolves once `count` calls have arrived. */
  asked(count: number): Promise<void>
  /** An eth_call as it came over HTTP. */
  call(params: RpcParams): Promise<Hex>
}

/** A TEEProverRegistry behind eth_call that accepts whom the test says. */
export function scriptedRegistry(): ScriptedRegistry {
  const wake: (() => void)[] = []
  const registry: ScriptedRegistry = {
    address: `0x${'7e'.repeat(20)}`,
    valid: [],
    mood: 'up',
    calls: [],
    async asked(count) {
      while (registry.calls.length < count) await new Promise<void>((resolve) => wake.push(resolve))
    },
    async call(params) {
      const [{ to, data }] = params as [{ to: Address; data: Hex }]
      const [argument] = decodeFunctionData({ abi: ABI, data }).args
      const signer = argument.toLowerCase() as Address
      registry.calls.push({ to, signer })
      for (const listener of wake.splice(0)) listener()
      if (registry.mood === 'down') throw new Error('no route')
      if (registry.mood === 'stalls') return await new Promise(() => undefined)
      if (registry.mood === 'not deployed') return '0x'
      return encodeAbiParameters([{ type: 'bool' }], [registry.valid.includes(signer)])
    },
  }
  return registry
}
