import { bigIntMin } from '@ethereumjs/util'
import type { BlockEnvironment } from './executor.ts'
import { type L1FeeParameters, l1FeeFields, operatorFee } from './l1-fee.ts'
import type { Machine } from './machine.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from './predeploys.ts'
import { type MessageOutcome, runMessage } from './run-message.ts'
import type { Address, L1FeeFields, SignedTransaction } from './types.ts'
import { checkSender, checkTransaction } from './validate-transaction.ts'

export interface SignedOutcome extends MessageOutcome {
  effectiveGasPrice: bigint
  l1: L1FeeFields
}

/**
 * Runs a signed transaction and distributes its fee: tip to the fee recipient, base, L1 and operator
 * fee to their vaults. OP spec, Isthmus, "Fees".
 * @throws TransactionInvalid before anything changed
 */
export async function executeSigned(
  machine: Machine,
  transaction: SignedTransaction,
  environment: BlockEnvironment,
  parameters: L1FeeParameters,
): Promise<SignedOutcome> {
  const { config, state } = machine
  const { world } = state
  const { gas, value, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const { baseFeePerGas } = environment
  checkTransaction(transaction, baseFeePerGas, config.chainId)
  const l1 = l1FeeFields(transaction.raw, parameters)
  const operator = (amount: bigint) => operatorFee(amount, parameters, config.fork)
  const reserved = l1.l1Fee + operator(gas)
  await checkSender(world, transaction, gas * maxFeePerGas + value + reserved)

  const sender = await world.entry(transaction.from)
  const price = baseFeePerGas + bigIntMin(maxPriorityFeePerGas, maxFeePerGas - baseFeePerGas)
  const prepaid = gas * price + reserved
  world.update(sender, { nonce: sender.nonce + 1n, balance: sender.balance - prepaid })
  const outcome = await runMessage(machine, { ...transaction, gasPrice: price }, environment)
  const { gasUsed } = outcome
  const pay = async (address: Address, amount: bigint) => {
    const entry = await world.entry(address)
    world.update(entry, { balance: entry.balance + amount })
  }
  await pay(transaction.from, (gas - gasUsed) * price + operator(gas) - operator(gasUsed))
  await pay(environment.feeRecipient, (price - baseFeePerGas) * gasUsed)
  await pay(BASE_FEE_VAULT, baseFeePerGas * gasUsed)
  await pay(L1_FEE_VAULT, l1.l1Fee)
  await pay(OPERATOR_FEE_VAULT, operator(gasUsed))
  await world.endTransaction(outcome.destroyed)
  return { ...outcome, effectiveGasPrice: price, l1 }
}
