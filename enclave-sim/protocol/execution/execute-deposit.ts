import { EngineFault } from '../evm/engine-fault.ts'
import type { DepositTransaction } from '../types/transaction.ts'
import { createdAddress } from './created-address.ts'
import type { BlockEnvironment } from './executor.ts'
import { type IntrinsicGas, intrinsicGas, MAX_INITCODE_SIZE } from './intrinsic-gas.ts'
import type { Machine } from './machine.ts'
import { type MessageOutcome, runMessage } from './run-message.ts'

export interface DepositOutcome extends MessageOutcome {
  /** The sender's nonce before execution, for the receipt (Regolith). */
  depositNonce: bigint
  /** Set when the engine broke: the deposit has failed. */
  fault?: EngineFault
}

/**
 * Runs a deposit, which must stand in the block whatever happens. OP spec, Deposits, "Execution":
 * mint first; a deposit that cannot run or halts keeps its mint, counts up the nonce and uses all its
 * gas; one that reverts uses what it used. One that breaks the engine has halted.
 * @throws EngineExhausted
 */
export async function executeDeposit(
  machine: Machine,
  deposit: DepositTransaction,
  environment: BlockEnvironment,
): Promise<DepositOutcome> {
  const { world } = machine
  const sender = await world.entry(deposit.from)
  const depositNonce = sender.nonce
  const balance = sender.balance + deposit.mint
  world.update(sender, { balance, nonce: depositNonce + 1n })
  const fail = async (): Promise<DepositOutcome> => {
    world.endTransaction()
    return { ...failure(deposit, depositNonce), depositNonce }
  }
  const intrinsic = intrinsicGas(deposit)
  if (!canRun(deposit, balance, intrinsic)) return fail()
  try {
    const outcome = await runMessage(machine, deposit, environment, { gasPrice: 0n, intrinsic })
    world.endTransaction(outcome.destroyed)
    return { ...outcome, depositNonce }
  } catch (fault) {
    if (!(fault instanceof EngineFault)) throw fault
    return { ...(await fail()), fault }
  }
}

function canRun(
  deposit: DepositTransaction,
  balance: bigint,
  { gas, floor }: IntrinsicGas,
): boolean {
  // OP spec, Regolith: system transactions are disabled.
  if (deposit.isSystemTransaction || deposit.gas < gas || deposit.gas < floor) return false
  if (deposit.to === null && deposit.data.length > MAX_INITCODE_SIZE) return false
  return deposit.value <= balance
}

function failure({ gas, from, to }: DepositTransaction, nonce: bigint): MessageOutcome {
  return {
    status: 0,
    gasUsed: gas,
    maxUsedGas: gas,
    output: new Uint8Array(0),
    logs: [],
    contractAddress: to === null ? createdAddress(from, nonce) : null,
    halt: { kind: 'other', message: 'the deposit cannot run' },
    destroyed: [],
  }
}
