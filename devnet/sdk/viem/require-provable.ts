import type { Client, Hex, Transport } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

interface Metadata {
  divergence?: { since: Hex; what?: string; wayOut?: string } | null
}

/**
 * Cheats may have taken a devnet off its L1 below a block: then it never becomes safe, and no withdrawal
 * in it is proven. Other chains have no word for that, and pass.
 * @throws RollbedError CHAIN_DIVERGED
 */
export async function requireProvable(
  client: Client<Transport>,
  blockNumber: bigint,
): Promise<void> {
  const { divergence } = await client
    .request<{ Method: string; Parameters: unknown[]; ReturnType: Metadata }>({
      method: 'anvil_metadata',
      params: [],
    })
    .catch((): Metadata => ({}))
  if (!divergence?.what || BigInt(divergence.since) > blockNumber) return
  throw new RollbedError(
    'CHAIN_DIVERGED',
    `Block ${blockNumber} will never be safe. ${divergence.what}`,
    divergence.wayOut === undefined ? {} : { hint: divergence.wayOut },
  )
}
