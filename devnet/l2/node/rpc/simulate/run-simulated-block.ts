import { bigIntMin, MAX_INTEGER } from '@ethereumjs/util'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { BytePile } from '#protocol/bytes/byte-pile'
import type { CallOutcome, Scratch } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import { applyStateOverrides } from '../calls/apply-state-overrides.ts'
import { callEnvironment } from '../calls/call-environment.ts'
import type { CallObject } from '../calls/call-object.ts'
import { SimulatedBlockBuilder } from './simulated-block-builder.ts'
import { simulatedHeader } from './simulated-header.ts'
import { simulatedTransaction } from './simulated-transaction.ts'
import type { PlannedBlock, SimulatedBlock, Simulation } from './simulation.ts'
import { simulationRefusal } from './simulation-refusal.ts'

export interface SimulationProgress {
  simulation: Simulation
  /** Runs the system calls of a block, the first one's in a state of its own. */
  begin(header: Header): Promise<Scratch>
  parent: { header: Header; hash: Hash }
  /** Gas that is left for all calls to come. */
  gasPool: bigint
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Of the whole simulation. */
  pile: BytePile
  signal: AbortSignal
}

/**
 * Runs one block: system calls, then overrides, then calls.
 * @throws JsonRpcError for a call that may not stand in a block, where the simulation asks for validation
 */
export async function runSimulatedBlock(
  planned: PlannedBlock,
  { simulation, begin, parent, gasPool, blockHash, pile, signal }: SimulationProgress,
): Promise<SimulatedBlock> {
  const { config, validation, traceTransfers } = simulation
  const header = simulatedHeader(planned, parent, {
    base: simulation.base.header,
    validation,
    fork: config.fork,
  })
  const environment = { ...callEnvironment(header, planned.blockOverrides), blockHash }
  const scratch = await begin(header)
  const { stateOverrides } = planned
  const precompiles = stateOverrides.length
    ? await applyStateOverrides(scratch, stateOverrides)
    : undefined

  const rules = { environment, validate: validation, traceTransfers, precompiles }
  const block = new SimulatedBlockBuilder(header, pile)
  const calls: CallOutcome[] = []
  for (const call of planned.calls) {
    signal.throwIfAborted()
    const { gasUsed } = block
    const gas = bigIntMin(callGas(call, header.gasLimit - gasUsed), gasPool - gasUsed)
    // What is known need not be waited for.
    const { from } = call
    const nonce = call.nonce ?? scratch.known(from)?.nonce ?? (await scratch.getNonce(from))
    const { chainId } = config
    const transaction = simulatedTransaction(call, { gas, nonce, chainId }, pile)
    if (simulation.lendsFunds && lacksFunds(scratch, transaction)) {
      await lendFunds(scratch, transaction)
    }
    let outcome: CallOutcome
    try {
      const called = scratch.call(message(transaction, call), rules)
      outcome = called instanceof Promise ? await called : called
    } catch (error) {
      throw simulationRefusal(error, transaction)
    }
    block.add(transaction, outcome)
    calls.push(outcome)
  }
  const isZero = simulation.profile.simulateStateRoot === 'zero'
  return { block: block.end(isZero ? header.stateRoot : await scratch.commit()), calls }
}

/** Whether it may: of an account that was not read, nobody knows at once. */
function lacksFunds(scratch: Scratch, transaction: SignedTransaction): boolean {
  const sender = scratch.known(transaction.from)
  return sender === undefined || sender.balance < costOf(transaction)
}

/**
 * What the sender lacks of its value and of its gas at the price it names is added to its balance,
 * where code can see it (RPC-SIM-09): the sum itself need not be anybody's.
 */
async function lendFunds(scratch: Scratch, transaction: SignedTransaction): Promise<void> {
  const { from } = transaction
  const cost = costOf(transaction)
  if ((await scratch.getBalance(from)) < cost) await scratch.setBalance(from, cost)
}

function costOf({ value, gas, maxFeePerGas }: SignedTransaction): bigint {
  return bigIntMin(value + gas * maxFeePerGas, MAX_INTEGER)
}

/** @throws JsonRpcError -38015 */
function callGas(call: CallObject, left: bigint): bigint {
  if (call.gas === undefined) return left
  if (call.gas <= left) return call.gas
  throw new JsonRpcError(
    -38015,
    `block gas limit reached: the call wants ${call.gas}, ${left} left`,
  )
}

/** Fees as the caller gave them: the executor tells a price of zero from none. */
function message(transaction: SignedTransaction, call: CallObject) {
  const { from, to, data, value, gas, nonce } = transaction
  return {
    ...{ from, to, data, value, gas, nonce },
    ...(call.gasPrice !== undefined && { gasPrice: call.gasPrice }),
    ...(call.maxFeePerGas !== undefined && { maxFeePerGas: call.maxFeePerGas }),
    ...(call.maxPriorityFeePerGas !== undefined && {
      maxPriorityFeePerGas: call.maxPriorityFeePerGas,
    }),
    ...(call.accessList && { accessList: call.accessList }),
    ...(call.authorizationList && { authorizationList: call.authorizationList }),
  }
}
