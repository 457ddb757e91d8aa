import type { Client } from 'viem'

/**
 * Closes the WebSocket of a viem client. Left open, viem dials on for a devnet that is gone, and a
 * later client at the same port gets the dead socket out of its cache.
 */
export async function closeSocket({ transport }: Pick<Client, 'transport'>): Promise<void> {
  const { getRpcClient } = transport as unknown as {
    getRpcClient(): Promise<{ close(): void }>
  }
  ;(await getRpcClient()).close()
}
