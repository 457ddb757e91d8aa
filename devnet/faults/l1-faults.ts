import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { L1 } from '#devnet/l1/start-l1'
import type { FaultName } from './fault-catalogue.ts'
import type { BringAbout } from './fault-engine.ts'

/** What can be done to anvil as a chain. */
export const L1_FAULTS: readonly FaultName[] = ['reorg', 'still', 'gas_spike', 'wrong_blob']

/** Faults of L1 as a chain, made with anvil's own methods. Transactions of removed blocks are lost. */
export function l1Faults(l1: Pick<L1, 'hold' | 'lieAboutBlobs'>, client: RpcClient): BringAbout {
  return async (fault, parameters) => {
    if (fault === 'still') return l1.hold()
    if (fault === 'wrong_blob') return l1.lieAboutBlobs()
    if (fault === 'reorg') {
      await client.request('anvil_reorg', [parameters.depth, []])
      return undefined
    }
    const wei = BigInt(Number(parameters.gwei)) * 1_000_000_000n
    await client.request('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])
    // It falls by itself, an eighth a block; this ends it at once.
    return async () => {
      await client.request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    }
  }
}
