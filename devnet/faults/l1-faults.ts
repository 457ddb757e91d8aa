import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { L1 } from '#devnet/l1/start-l1'
import type { EffectsOn } from './fault-effects.ts'

const GWEI = 1_000_000_000n

/** Faults of L1 as a chain, made with anvil's own methods. Transactions of removed blocks are lost. */
export function l1Faults(
  l1: Pick<L1, 'hold' | 'lieAboutBlobs'>,
  client: RpcClient,
): EffectsOn<'chain'> {
  const setBaseFee = async (wei: bigint) => {
    await client.request('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])
  }
  return {
    still: () => l1.hold(),
    wrong_blob: () => l1.lieAboutBlobs(),
    async reorg({ depth }) {
      await client.request('anvil_reorg', [depth, []])
      return undefined
    },
    async gas_spike({ gwei }) {
      await setBaseFee(BigInt(gwei) * GWEI)
      // It falls by itself, an eighth a block; this ends it at once.
      return () => setBaseFee(GWEI)
    },
  }
}
