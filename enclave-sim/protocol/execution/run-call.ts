import { bigIntMin } from '@ethereumjs/util'
import type { CallMessage, CallOutcome, CallRules } from './executor.ts'
import type { Machine } from './machine.ts'
import { type Charged, type MessageOutcome, runMessage, runMessageAtHand } from './run-message.ts'
import { checkFees, checkFunds, checkIntrinsicGas, checkNonce } from './validate-transaction.ts'
import type { AccountEntry } from './world-state.ts'

/**
 * Runs a call on the machine's world, where its effects stay unless nobody sees them.
 * @returns at once where all that it needs is at hand
 * @throws TransactionInvalid
 */
export function runCall(
  machine: Machine,
  message: CallMessage,
  rules: CallRules,
): CallOutcome | Promise<CallOutcome> {
  const { world } = machine
  const { feeRecipient, baseFeePerGas } = rules.environment
  const isSeen = !machine.readState
  const sender = world.known(message.from)
  if (!sender || (isSeen && !world.known(feeRecipient))) return runLater(machine, message, rules)
  const charged = charge(machine, sender, message, rules)
  const { gasPrice: price } = charged
  const finish = (outcome: MessageOutcome) => {
    const { gasUsed, destroyed } = outcome
    if (isSeen && price > 0n) {
      const tip = price > baseFeePerGas ? price - baseFeePerGas : 0n
      world.update(sender, { balance: sender.balance + (message.gas - gasUsed) * price })
      const miner = world.entryAtHand(feeRecipient)
      world.update(miner, { balance: miner.balance + gasUsed * tip })
    }
    if (isSeen) world.endTransaction(destroyed)
    return outcome
  }
  const outcome = runMessage(machine, message, rules.environment, charged)
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
}

/** The same of a call whose accounts were not read yet. */
async function runLater(machine: Machine, message: CallMessage, rules: CallRules) {
  await machine.world.entry(message.from)
  if (!machine.readState) await machine.world.entry(rules.environment.feeRecipient)
  return runCall(machine, message, rules)
}

/**
 * The same of a call without authorizations whose effects nobody sees, without waiting; undefined:
 * something that it needs is not at hand.
 * @throws TransactionInvalid, BudgetSpent; NodeMissing, which means what undefined does
 */
export function runCallAtHand(
  machine: Machine,
  message: CallMessage,
  rules: CallRules,
): CallOutcome | undefined {
  const charged = charge(machine, machine.world.entryAtHand(message.from), message, rules)
  return runMessageAtHand(machine, message, rules.environment, charged)
}

/**
 * Checks whether the sender may, counts its nonce up and takes what the gas costs.
 */
function charge(
  { world }: Machine,
  sender: AccountEntry,
  message: CallMessage,
  { environment, validate }: CallRules,
): Charged {
  if (validate) checkNonce(sender, message.nonce ?? sender.nonce)
  const { price, cap } = priceOf(message, environment.baseFeePerGas, validate)
  checkFunds(sender, message.gas * cap + message.value)
  const intrinsic = checkIntrinsicGas(message)
  const nonce = BigInt.asUintN(64, sender.nonce + 1n)
  world.update(sender, { nonce, balance: sender.balance - message.gas * price })
  return { gasPrice: price, intrinsic }
}

/** What the caller pays per gas, and the cap its balance is checked against. */
function priceOf(
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
