import { numberToHex } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hex } from '#protocol/types/bytes'

/** The devnet mines on its clock meanwhile, and may be the first to take a timestamp. */
const ATTEMPTS = 5

/**
 * Mines one L1 block, by anvil's cheat.
 * @param timestamp seconds; default, and at least, one more than the parent's
 * @throws NoCheats
 */
export async function mineAt(rpc: RpcClient, timestamp = 0n): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const parent = await latest(rpc)
    const next = parent.timestamp + 1n
    const params = [{ timestamp: Number(timestamp > next ? timestamp : next) }]
    try {
      await rpc.request('evm_mine', params)
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof RpcRefused)) throw error
      if (error.methodUnknown) throw new NoCheats(error)
    }
  }
}

/** Mines empty L1 blocks, a second apart. */
export async function mineMany(rpc: RpcClient, count: number): Promise<void> {
  await rpc.request('anvil_mine', [numberToHex(count), '0x1'])
}

async function latest(rpc: RpcClient): Promise<{ timestamp: bigint }> {
  const block = await rpc.request('eth_getBlockByNumber', ['latest', false])
  return { timestamp: BigInt((block as { timestamp: Hex }).timestamp) }
}

export class NoCheats extends RollbedError {
  constructor(cause: unknown) {
    super('L1_WITHOUT_CHEATS', 'This L1 does not mine when it is told to.', {
      hint: 'Scenarios need the anvil of a devnet as L1.',
      cause,
    })
  }
}
