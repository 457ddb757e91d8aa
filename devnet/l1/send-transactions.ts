import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hex } from '#protocol/types/bytes'
import type { L1Call } from './l1-call.ts'
import { signL1Transaction } from './sign-l1-transaction.ts'

/** Enough for any block of ours: an empty chain's base fee starts at 1 gwei and falls. */
const MAX_FEE = 100_000_000_000n
const PRIORITY_FEE = 1_000_000_000n
const GAS = 8_000_000n

export interface L1Sender<Mined = unknown> {
  rpcUrl: RpcEndpoint
  chainId: number
  privateKey: Hex
  /** Makes the block that the transactions go into. */
  mine(): Promise<Mined>
}

/**
 * Sends calls with consecutive nonces from `nonce` on, all at once, and mines them.
 * @returns what `mine` gave: the block that holds them
 * @throws L1_TRANSACTION_FAILED naming the first call that reverted.
 */
export async function sendTransactions<Mined>(
  sender: L1Sender<Mined>,
  nonce: number,
  calls: readonly L1Call[],
): Promise<Mined> {
  const client = rpcClientOf(sender.rpcUrl)
  const signed = calls.map(({ to, data, value = 0n }, index) =>
    signL1Transaction(
      {
        chainId: sender.chainId,
        nonce: nonce + index,
        to,
        data,
        value,
        gas: GAS,
        maxFeePerGas: MAX_FEE,
        maxPriorityFeePerGas: PRIORITY_FEE,
      },
      sender.privateKey,
    ),
  )
  await Promise.all(signed.map(({ raw }) => client.request('eth_sendRawTransaction', [raw])))
  const mined = await sender.mine()
  const receipts = await Promise.all(
    signed.map(({ hash }) => client.request('eth_getTransactionReceipt', [hash])),
  )
  const failed = receipts.findIndex((receipt) => !succeeded(receipt))
  if (failed >= 0) {
    throw new RollbedError(
      'L1_TRANSACTION_FAILED',
      `${calls[failed]?.name} ${receipts[failed] ? 'reverted' : 'was not mined'} on L1.`,
    )
  }
  return mined
}

function succeeded(receipt: unknown): boolean {
  return (receipt as { status?: string } | null)?.status === '0x1'
}
