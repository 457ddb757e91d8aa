import { isDelegation } from '#protocol/execution/apply-authorizations'
import { intrinsicGas, MAX_INITCODE_SIZE } from '#protocol/execution/intrinsic-gas'
import { l1FeeFields, operatorFee } from '#protocol/execution/l1-fee'
import type { SignedTransaction } from '#protocol/types/transaction'
import { exceedsBlock } from './exceeds-block.ts'
import type { PoolContext } from './pool-context.ts'
import { PoolRejected } from './pool-rejected.ts'

/** geth's txMaxSize: four slots of 32 KiB. */
export const MAX_TRANSACTION_SIZE = 131_072
/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n

/** @param size bytes */
export function transactionTooLarge(size: number): PoolRejected {
  return new PoolRejected(
    'TRANSACTION_TOO_LARGE',
    `oversized data: transaction size ${size}, limit ${MAX_TRANSACTION_SIZE}`,
  )
}

/** Checks that no state can change. @throws PoolRejected */
export function checkForm(transaction: SignedTransaction, context: PoolContext): void {
  const { raw, chainId, gas, to, data, maxFeePerGas, maxPriorityFeePerGas } = transaction
  if (raw.length > MAX_TRANSACTION_SIZE) {
    throw transactionTooLarge(raw.length)
  }
  if (chainId !== undefined && chainId !== context.chainId) {
    throw new PoolRejected(
      'WRONG_CHAIN',
      `invalid chain id for signer: have ${chainId} want ${context.chainId}`,
    )
  }
  if (to === null && data.length > MAX_INITCODE_SIZE) {
    throw new PoolRejected(
      'INITCODE_TOO_LARGE',
      `max initcode size exceeded: code size ${data.length}, limit ${MAX_INITCODE_SIZE}`,
    )
  }
  const { transactionGasCap: cap } = context
  if (cap !== undefined && gas > cap) {
    throw new PoolRejected(
      'GAS_ABOVE_CAP',
      `transaction gas limit too high (cap: ${cap}, tx: ${gas})`,
    )
  }
  const { gasLimit, l1 } = context
  const tooMuch = exceedsBlock(transaction, { gasLimit, daGasPerByte: l1.daFootprintGasScalar })
  if (tooMuch) throw tooMuch
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw new PoolRejected(
      'TIP_ABOVE_FEE_CAP',
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`,
    )
  }
  checkGas(transaction)
}

function checkGas(transaction: SignedTransaction): void {
  const { gas: needed, floor } = intrinsicGas(transaction)
  if (transaction.gas < needed) {
    throw new PoolRejected(
      'INTRINSIC_GAS_TOO_LOW',
      `intrinsic gas too low: gas ${transaction.gas}, minimum needed ${needed}`,
    )
  }
  if (transaction.gas < floor) {
    throw new PoolRejected(
      'FLOOR_GAS_TOO_LOW',
      `insufficient gas for floor data gas cost: gas ${transaction.gas}, minimum needed ${floor}`,
    )
  }
}

/**
 * Checks the sender: nonce not used up, no contract, and able to pay for this transaction by itself
 * (unless that may show later).
 * @returns the sender's next nonce
 * @throws PoolRejected
 */
export function checkSender(transaction: SignedTransaction, context: PoolContext): bigint {
  const account = context.account(transaction.from)
  const next = account?.nonce ?? 0n
  if (transaction.nonce < next) {
    throw new PoolRejected(
      'NONCE_TOO_LOW',
      `nonce too low: next nonce ${next}, tx nonce ${transaction.nonce}`,
    )
  }
  if (transaction.nonce === MAX_NONCE) {
    throw new PoolRejected('NONCE_MAX', `nonce has max value: ${transaction.nonce}`)
  }
  const code = account && !transaction.isImpersonated ? context.code(account.codeHash) : undefined
  if (code && code.length > 0 && !isDelegation(code)) {
    throw new PoolRejected('SENDER_NOT_EOA', `sender not an eoa: address ${transaction.from}`)
  }
  const balance = account?.balance ?? 0n
  const cost = maximumCost(transaction, context)
  if (balance < cost && !context.ignoresFunds) {
    throw new PoolRejected(
      'INSUFFICIENT_FUNDS',
      `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
    )
  }
  return next
}

/** The most a transaction may take from its sender, L1 and operator fee included; wei. */
function maximumCost(transaction: SignedTransaction, { l1, fork }: PoolContext): bigint {
  const { gas, maxFeePerGas, value, raw } = transaction
  return gas * maxFeePerGas + value + l1FeeFields(raw, l1).l1Fee + operatorFee(gas, l1, fork)
}
