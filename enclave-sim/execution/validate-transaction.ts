import { isDelegation } from './apply-authorizations.ts'
import { intrinsicGas, MAX_INITCODE_SIZE } from './intrinsic-gas.ts'
import { TransactionInvalid } from './transaction-invalid.ts'
import type { AccessListEntry, Address, Authorization, SignedTransaction } from './types.ts'
import type { WorldState } from './world-state.ts'

/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n

/** Checks that need no state: chain, fees and gas. */
export function checkTransaction(
  transaction: SignedTransaction,
  baseFee: bigint,
  chainId: bigint,
): void {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId) {
    throw new TransactionInvalid('WRONG_CHAIN', 'The transaction was signed for another chain.', {
      have: transaction.chainId,
      want: chainId,
    })
  }
  checkFees(transaction, baseFee)
  checkIntrinsicGas(transaction)
}

export function checkFees(
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  baseFee: bigint,
): void {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw new TransactionInvalid('TIP_ABOVE_FEE_CAP', 'The priority fee is above the fee cap.', {
      maxPriorityFeePerGas,
      maxFeePerGas,
    })
  }
  if (maxFeePerGas < baseFee) {
    throw new TransactionInvalid(
      'FEE_CAP_BELOW_BASE_FEE',
      `The fee cap ${maxFeePerGas} is below the base fee ${baseFee}.`,
      { maxFeePerGas, baseFee },
    )
  }
}

export function checkIntrinsicGas(message: {
  to: Address | null
  data: Uint8Array
  gas: bigint
  accessList?: readonly AccessListEntry[] | undefined
  authorizationList?: readonly Authorization[] | undefined
}): void {
  const { gas: have, to, data } = message
  if (to === null && data.length > MAX_INITCODE_SIZE) {
    throw new TransactionInvalid('INITCODE_TOO_LARGE', 'The initcode is too large (EIP-3860).', {
      have: BigInt(data.length),
      limit: BigInt(MAX_INITCODE_SIZE),
    })
  }
  const { gas: want, floor } = intrinsicGas(message)
  if (have < want) {
    throw new TransactionInvalid(
      'INTRINSIC_GAS_TOO_LOW',
      `The gas limit ${have} is below the intrinsic gas ${want}.`,
      { have, want },
    )
  }
  if (have < floor) {
    throw new TransactionInvalid(
      'FLOOR_GAS_TOO_LOW',
      `The gas limit ${have} is below the floor ${floor} for its data (EIP-7623).`,
      { have, want: floor },
    )
  }
}

/**
 * Checks nonce, code and balance of the sender.
 * @param cost the most the transaction may cost, value and L1 and operator fee included
 */
export async function checkSender(
  world: WorldState,
  { from, nonce }: { from: Address; nonce: bigint },
  cost: bigint,
): Promise<void> {
  const sender = await world.entry(from)
  if (nonce < sender.nonce) {
    throw new TransactionInvalid('NONCE_TOO_LOW', `The nonce ${nonce} is below ${sender.nonce}.`, {
      have: nonce,
      want: sender.nonce,
    })
  }
  if (nonce > sender.nonce) {
    throw new TransactionInvalid('NONCE_TOO_HIGH', `The nonce ${nonce} is above ${sender.nonce}.`, {
      have: nonce,
      want: sender.nonce,
    })
  }
  if (nonce === MAX_NONCE) {
    throw new TransactionInvalid('NONCE_MAX', 'The sender has used up its nonces.', { have: nonce })
  }
  const code = await world.code(sender)
  if (code.length > 0 && !isDelegation(code)) {
    throw new TransactionInvalid('SENDER_NOT_EOA', 'The sender has code (EIP-3607).')
  }
  if (sender.balance < cost) {
    throw new TransactionInvalid(
      'INSUFFICIENT_FUNDS',
      `The balance ${sender.balance} is below the cost ${cost}.`,
      { have: sender.balance, want: cost },
    )
  }
}
