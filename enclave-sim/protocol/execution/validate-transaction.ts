import type { Address } from '../types/bytes.ts'
import type { AccessListEntry, Authorization, SignedTransaction } from '../types/transaction.ts'
import { isDelegation } from './apply-authorizations.ts'
import { type IntrinsicGas, intrinsicGas, MAX_INITCODE_SIZE } from './intrinsic-gas.ts'
import { TransactionInvalid } from './transaction-invalid.ts'
import type { AccountEntry } from './world-state.ts'

/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n

/**
 * A transaction without a chain id (before EIP-155) is valid on every chain.
 * @throws TransactionInvalid WRONG_CHAIN
 */
export function checkChain({ chainId }: SignedTransaction, want: bigint): void {
  if (chainId !== undefined && chainId !== want) {
    throw new TransactionInvalid('WRONG_CHAIN', 'The transaction was signed for another chain.', {
      have: chainId,
      want,
    })
  }
}

/**
 * EIP-1559; all in wei per gas.
 * @param baseFee of the block that the transaction is to stand in
 * @throws TransactionInvalid TIP_ABOVE_FEE_CAP, FEE_CAP_BELOW_BASE_FEE
 */
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

/**
 * What a message costs before it runs (EIP-2028, EIP-2930, EIP-3860, EIP-7623, EIP-7702).
 * @param message.gas its gas limit
 * @returns what it costs
 * @throws TransactionInvalid INTRINSIC_GAS_TOO_LOW, FLOOR_GAS_TOO_LOW, INITCODE_TOO_LARGE
 */
export function checkIntrinsicGas(message: {
  to: Address | null
  data: Uint8Array
  gas: bigint
  accessList?: readonly AccessListEntry[] | undefined
  authorizationList?: readonly Authorization[] | undefined
}): IntrinsicGas {
  const { gas: have, to, data } = message
  const intrinsic = intrinsicGas(message)
  const { gas: want, floor } = intrinsic
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
  if (to === null && data.length > MAX_INITCODE_SIZE) {
    throw new TransactionInvalid('INITCODE_TOO_LARGE', 'The initcode is too large (EIP-3860).', {
      have: BigInt(data.length),
      limit: BigInt(MAX_INITCODE_SIZE),
    })
  }
  return intrinsic
}

/**
 * @param most what one transaction may ask for (EIP-7825); undefined: nothing bounds it but its block
 * @throws TransactionInvalid GAS_ABOVE_CAP
 */
export function checkGasCap({ gas: have }: { gas: bigint }, most: bigint | undefined): void {
  if (most === undefined || have <= most) return
  throw new TransactionInvalid(
    'GAS_ABOVE_CAP',
    `The gas limit ${have} is above ${most}, the most of a transaction (EIP-7825).`,
    { have, limit: most },
  )
}

/**
 * @param have the transaction's nonce
 * @throws TransactionInvalid NONCE_TOO_LOW, NONCE_TOO_HIGH, NONCE_MAX (EIP-2681)
 */
export function checkNonce(sender: AccountEntry, have: bigint): void {
  const want = sender.nonce
  if (have < want) {
    const message = `The nonce ${have} is below ${want}.`
    throw new TransactionInvalid('NONCE_TOO_LOW', message, { have, want })
  }
  if (have > want) {
    const message = `The nonce ${have} is above ${want}.`
    throw new TransactionInvalid('NONCE_TOO_HIGH', message, { have, want })
  }
  if (have === MAX_NONCE) {
    throw new TransactionInvalid('NONCE_MAX', 'The sender has used up its nonces.', { have })
  }
}

/** EIP-3607, with the exception of EIP-7702. @param code the sender's @throws TransactionInvalid SENDER_NOT_EOA */
export function checkExternallyOwned(code: Uint8Array): void {
  if (code.length > 0 && !isDelegation(code)) {
    throw new TransactionInvalid('SENDER_NOT_EOA', 'The sender has code (EIP-3607).')
  }
}

/**
 * @param want the most the transaction may cost, value, L1 and operator fee included
 * @throws TransactionInvalid INSUFFICIENT_FUNDS
 */
export function checkFunds({ balance: have }: AccountEntry, want: bigint): void {
  if (have >= want) return
  const message = `The balance ${have} is below the cost ${want}.`
  throw new TransactionInvalid('INSUFFICIENT_FUNDS', message, { have, want })
}
