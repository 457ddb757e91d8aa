import { bigIntMin } from '@ethereumjs/util'
import type { CallMessage, CallOutcome, CallRules } from './executor.ts'
import type { Machine } from './machine.ts'
import { runMessage } from './run-message.ts'
import { checkFees, checkFunds, checkIntrinsicGas, checkNonce } from './validate-transaction.ts'

/**
 * Runs a call on the machine's world, where its effects stay unless nobody sees them.
 * @throws TransactionInvalid
 */
export async function runCall(
  machine: Machine,
  message: CallMessage,
  rules: CallRules,
): Promise<CallOutcome> {
  const { world } = machine
  const { environment, validate } = rules
  const { from, gas, value } = message
  const sender = await world.entry(from)
  if (validate) checkNonce(sender, message.nonce ?? sender.nonce)
  const { price, cap } = gasPrice(message, environment.baseFeePerGas, validate)
  checkFunds(sender, gas * cap + value)
  checkIntrinsicGas(message)
  const nonce = BigInt.asUintN(64, sender.nonce + 1n)
  world.update(sender, { nonce, balance: sender.balance - gas * price })
  const outcome = await runMessage(machine, { ...message, gasPrice: price }, environment)
  const { gasUsed, destroyed } = outcome
  if (!machine.readState) {
    const tip = price > environment.baseFeePerGas ? price - environment.baseFeePerGas : 0n
    const miner = await world.entry(environment.feeRecipient)
    if (price > 0n) {
      world.update(sender, { balance: sender.balance + (gas - gasUsed) * price })
      world.update(miner, { balance: miner.balance + gasUsed * tip })
    }
    await world.endTransaction(destroyed)
  }
  const { status, maxUsedGas, output, logs, contractAddress, halt } = outcome
  return { status, gasUsed, maxUsedGas, output, logs, contractAddress, ...(halt ? { halt } : {}) }
}

/** What the caller pays per gas, and the cap its balance is checked against. */
function gasPrice(
  message: CallMessage,
  baseFee: bigint,
  validate: boolean,
): { price: bigint; cap: bigint } {
  const cap = message.gasPrice ?? message.maxFeePerGas ?? 0n
  const tip = message.gasPrice ?? message.maxPriorityFeePerGas ?? 0n
  // Without validation a call that names no fee is free, as with geth's NoBaseFee.
  if (!validate && cap === 0n && tip === 0n) return { price: 0n, cap: 0n }
  checkFees({ maxFeePerGas: cap, maxPriorityFeePerGas: tip }, baseFee)
  return { price: bigIntMin(cap, baseFee + tip), cap }
}
