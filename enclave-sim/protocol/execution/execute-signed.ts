import { bigIntMin } from '@ethereumjs/util'
import type { L1FeeFields } from '../types/block.ts'
import type { Address } from '../types/bytes.ts'
import type { SignedTransaction } from '../types/transaction.ts'
import type { BlockEnvironment } from './executor.ts'
import { operatorFee } from './l1-fee.ts'
import { type Machine, rulesOf } from './machine.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from './predeploys.ts'
import { type MessageOutcome, runMessage } from './run-message.ts'
import {
  checkChain,
  checkExternallyOwned,
  checkFees,
  checkFunds,
  checkGasCap,
  checkIntrinsicGas,
  checkNonce,
} from './validate-transaction.ts'

export interface SignedOutcome extends MessageOutcome {
  effectiveGasPrice: bigint
}

/**
 * Runs a signed transaction and distributes its fee: tip to the fee recipient, base, L1 and operator
 * fee to their vaults. OP spec, Isthmus, "Fees".
 * @param l1 from `l1FeeFields`
 * @throws TransactionInvalid before anything changed
 */
export async function executeSigned(
  machine: Machine,
  transaction: SignedTransaction,
  environment: BlockEnvironment,
  l1: L1FeeFields,
): Promise<SignedOutcome> {
  const { config, world } = machine
  const { gas, value, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const { baseFeePerGas } = environment
  const operator = (amount: bigint) => operatorFee(amount, l1, config.fork)
  const reserved = l1.l1Fee + operator(gas)
  const sender = world.known(transaction.from) ?? (await world.entry(transaction.from))
  checkChain(transaction, config.chainId)
  checkNonce(sender, transaction.nonce)
  if (!transaction.isImpersonated) checkExternallyOwned(sender.code ?? (await world.code(sender)))
  checkFees(transaction, baseFeePerGas)
  checkFunds(sender, gas * maxFeePerGas + value + reserved)
  const intrinsic = checkIntrinsicGas(transaction)
  checkGasCap(transaction, rulesOf(machine, environment).transactionGasCap)

  const price = baseFeePerGas + bigIntMin(maxPriorityFeePerGas, maxFeePerGas - baseFeePerGas)
  const prepaid = gas * price + reserved
  world.update(sender, { nonce: sender.nonce + 1n, balance: sender.balance - prepaid })
  const run = runMessage(machine, transaction, environment, { gasPrice: price, intrinsic })
  const outcome = run instanceof Promise ? await run : run
  const { gasUsed } = outcome
  const payments: [Address, bigint][] = [
    [transaction.from, (gas - gasUsed) * price + operator(gas) - operator(gasUsed)],
    [environment.feeRecipient, (price - baseFeePerGas) * gasUsed],
    [BASE_FEE_VAULT, baseFeePerGas * gasUsed],
    [L1_FEE_VAULT, l1.l1Fee],
    [OPERATOR_FEE_VAULT, operator(gasUsed)],
  ]
  for (const [address, amount] of payments) {
    // Known from the second transaction on, and what is known need not be waited for.
    const entry = world.known(address) ?? (await world.entry(address))
    world.update(entry, { balance: entry.balance + amount })
  }
  world.endTransaction(outcome.destroyed)
  return { ...outcome, effectiveGasPrice: price }
}
