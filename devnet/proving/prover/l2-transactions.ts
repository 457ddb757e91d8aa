import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { blockTransactions, encodeTransaction } from '#devnet/l1/l1-lists'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { encodeDeposit } from '#protocol/transaction/encode-deposit'
import type { Hash, Hex } from '#protocol/types/bytes'
import { rawBlock } from './raw-block.ts'

const DEPOSIT_TYPE = '0x7e'

/** A deposit as op-geth and op-reth spell it. */
interface DepositJson {
  sourceHash: Hash
  from: Hex
  to: Hex | null
  mint?: Hex
  value: Hex
  gas: Hex
  isSystemTx?: boolean
  input: Hex
}

/**
 * The EIP-2718 transactions of an L2 block: from debug_getRawBlock, or encoded again from JSON where a
 * node does not have that method; the caller checks the root.
 * @throws BlockUnavailable
 */
export async function l2Transactions(
  rpc: RpcClient,
  hash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  try {
    return (await rawBlock(rpc, hash, signal)).transactions
  } catch (error) {
    if (!(error instanceof RpcRefused && error.methodUnknown)) throw error
  }
  const transactions = await blockTransactions(rpc, hash, signal)
  return transactions.map((json) =>
    String(json.type) === DEPOSIT_TYPE
      ? deposit(json as unknown as DepositJson)
      : encodeTransaction(json),
  )
}

function deposit(json: DepositJson): Uint8Array {
  const { sourceHash, from, to, mint, value, gas, isSystemTx, input } = json
  return encodeDeposit({
    ...{ sourceHash, from, to },
    mint: BigInt(mint ?? 0),
    value: BigInt(value),
    gas: BigInt(gas),
    isSystemTransaction: isSystemTx ?? false,
    data: hexToBytes(input),
  })
}
