import { bigIntMin } from '@ethereumjs/util'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CallMessage, CallOutcome, Executor, Scratch } from '#protocol/execution/executor'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { applyStateOverrides } from './apply-state-overrides.ts'
import type { CallRequest } from './call-request.ts'

/** What calls run on. */
export interface CallContext {
  executor: Executor
  store: StateStore
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Gas that a call may use here; more is BudgetSpent. */
  budget?: bigint | undefined
}

/**
 * Runs one call on a private copy of the state.
 * @throws TransactionInvalid, or JsonRpcError for fees that cannot be
 */
export async function runCall(context: CallContext, request: CallRequest): Promise<CallOutcome> {
  const { executor, store, budget } = context
  const { stateRoot, environment, message, stateOverrides } = request
  const rules = rulesOf(context, request)
  if (isPlain(request)) return executor.call({ store, stateRoot, budget }, message, rules)
  const scratch = executor.openScratch({ store, stateRoot, budget })
  const precompiles = await applyStateOverrides(scratch, stateOverrides)
  return scratch.call(await affordable(scratch, message, environment.baseFeePerGas), {
    ...rules,
    ...(precompiles && { precompiles }),
  })
}

/**
 * The same without waiting; undefined: it has to.
 * @throws TransactionInvalid, BudgetSpent
 */
export function runCallAtHand(context: CallContext, request: CallRequest): CallOutcome | undefined {
  if (!isPlain(request)) return undefined
  const { executor, store, budget } = context
  const { stateRoot, message } = request
  return executor.callAtHand({ store, stateRoot, budget }, message, rulesOf(context, request))
}

function rulesOf({ blockHash }: CallContext, { environment }: CallRequest) {
  return { environment: { ...environment, blockHash }, validate: false }
}

/** Nothing is to be done to the state first. */
function isPlain({ message, stateOverrides }: CallRequest): boolean {
  return stateOverrides.length === 0 && !namesFees(message)
}

/** Whether the caller says what gas costs: then the sender has to be able to pay (OPEN-24…27). */
export function namesFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallMessage): boolean {
  return (gasPrice ?? maxFeePerGas ?? maxPriorityFeePerGas) !== undefined
}

/**
 * Fees count only when the caller names them: then the sender must be able to pay, and gas comes
 * down to what it can pay for, as reth does.
 */
async function affordable(
  scratch: Scratch,
  message: CallMessage,
  baseFee: bigint,
): Promise<CallMessage> {
  const cap = message.gasPrice ?? message.maxFeePerGas ?? 0n
  const tip = message.gasPrice ?? message.maxPriorityFeePerGas ?? 0n
  if (tip > cap) {
    throw new JsonRpcError(-32003, 'max priority fee per gas higher than max fee per gas')
  }
  if (cap > 0n && cap < baseFee) {
    throw new JsonRpcError(-32000, 'max fee per gas less than block base fee')
  }
  if (cap === 0n) return message
  const have = await scratch.getBalance(message.from)
  const gas = bigIntMin(message.gas, (have - message.value) / cap)
  if (gas <= 0n) {
    const want = message.gas * cap + message.value
    const text = `insufficient funds for gas * price + value: have ${have} want ${want}`
    throw new JsonRpcError(-32003, text)
  }
  return { ...message, gas }
}
