import { bigIntMin, MAX_INTEGER } from '@ethereumjs/util'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type {
  BlockEnvironment,
  CallOutcome,
  CallRules,
  Scratch,
} from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { applyStateOverrides } from '../calls/apply-state-overrides.ts'
import { callEnvironment } from '../calls/call-environment.ts'
import type { CallObject } from '../calls/call-object.ts'
import { SimulatedBlockBuilder } from './simulated-block-builder.ts'
import type { SimulatedBlockWriter } from './simulated-block-writer.ts'
import { simulatedHeader } from './simulated-header.ts'
import type { PlannedBlock, SimulatedBlock, Simulation } from './simulation.ts'
import type { SimulationPace } from './simulation-pace.ts'
import { simulationRefusal } from './simulation-refusal.ts'

export interface SimulationProgress {
  simulation: Simulation
  /** Runs the system calls of a block, the first one's in a state of its own. */
  begin(header: Header, environment: BlockEnvironment): Promise<Scratch>
  parent: { header: Header; hash: Hash }
  /** Gas that is left for all calls to come. */
  gasPool: bigint
  blockHash(number: bigint): Promise<Hash | undefined>
  writer: SimulatedBlockWriter
  /** Where others wait for it. */
  pace: SimulationPace | undefined
  signal: AbortSignal
}

/**
 * Runs one block: system calls, then overrides, then calls.
 * @throws JsonRpcError for a call that may not stand in a block, where the simulation asks for validation
 */
export async function runSimulatedBlock(
  planned: PlannedBlock,
  { simulation, begin, parent, gasPool, blockHash, writer, pace, signal }: SimulationProgress,
): Promise<SimulatedBlock> {
  const { config, validation, traceTransfers } = simulation
  const header = simulatedHeader(planned, parent, {
    base: simulation.base.header,
    validation,
    fork: config.fork,
  })
  const environment = { ...callEnvironment(header, planned.blockOverrides), blockHash }
  const scratch = await begin(header, environment)
  const { stateOverrides } = planned
  const precompiles = stateOverrides.length
    ? await applyStateOverrides(scratch, stateOverrides)
    : undefined

  const rules: CallRules = {
    environment,
    validate: validation,
    traceTransfers,
    rawLogs: true,
    precompiles,
  }
  const block = new SimulatedBlockBuilder(header, writer, simulation)
  for (const call of planned.calls) {
    signal.throwIfAborted()
    const { gasUsed } = block
    const gas = bigIntMin(callGas(call, header.gasLimit - gasUsed), gasPool - gasUsed)
    // What is known need not be waited for.
    const { from } = call
    const sender = scratch.known(from)
    const nonce = call.nonce ?? sender?.nonce ?? (await scratch.getNonce(from))
    const { chainId } = config
    const place = { gas, nonce, chainId }
    if (simulation.lendsFunds && lacksFunds(sender, call, gas)) {
      await lendFunds(scratch, call, gas)
    }
    let outcome: CallOutcome
    try {
      // Fees as the caller gave them: the executor tells a price of zero from none.
      rules.budget = pace?.budget
      const called = scratch.call({ ...call, gas, nonce }, rules)
      outcome = called instanceof Promise ? await called : called
    } catch (error) {
      throw simulationRefusal(error, call)
    }
    block.add(call, place, outcome)
    const turn = pace?.afterCall(call, outcome)
    if (turn) await turn
  }
  const isZero = simulation.profile.simulateStateRoot === 'zero'
  return block.end(isZero ? header.stateRoot : await scratch.commit())
}

/** Whether it may: of a sender that was not read, nobody knows at once. */
function lacksFunds(
  sender: { balance: bigint } | undefined,
  call: CallObject,
  gas: bigint,
): boolean {
  return sender === undefined || sender.balance < costOf(call, gas)
}

/**
 * What the sender lacks of its value and of its gas at the price it names is added to its balance,
 * where code can see it (RPC-SIM-09): the sum itself need not be anybody's.
 */
async function lendFunds(scratch: Scratch, call: CallObject, gas: bigint): Promise<void> {
  const { from } = call
  const cost = costOf(call, gas)
  if ((await scratch.getBalance(from)) < cost) await scratch.setBalance(from, cost)
}

function costOf({ value, gasPrice, maxFeePerGas }: CallObject, gas: bigint): bigint {
  const cap = gasPrice ?? maxFeePerGas ?? 0n
  return bigIntMin(value + gas * cap, MAX_INTEGER)
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
