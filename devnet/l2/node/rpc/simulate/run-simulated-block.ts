import { bigIntMin, MAX_INTEGER } from '@ethereumjs/util'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { blockSize } from '#protocol/execution/block'
import type { CallOutcome, Scratch } from '#protocol/execution/executor'
import { headerHash } from '#protocol/execution/header'
import { logsBloom, mergeBloom } from '#protocol/execution/logs-bloom'
import { encodeReceipt } from '#protocol/execution/receipt'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Header, Log, Receipt } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import { applyStateOverrides } from '../calls/apply-state-overrides.ts'
import { callEnvironment } from '../calls/call-environment.ts'
import type { CallObject } from '../calls/call-object.ts'
import { simulatedHeader } from './simulated-header.ts'
import { simulatedTransaction } from './simulated-transaction.ts'
import type { PlannedBlock, SimulatedBlock, SimulationRequest } from './simulation.ts'
import { simulationRefusal } from './simulation-refusal.ts'

/** The pretended emitter of value transfers (OPEN-28…36). */
const TRANSFERS: Address = `0x${'e'.repeat(40)}`

export interface SimulationProgress {
  request: SimulationRequest
  /** Runs the system calls of a block, the first one's in a state of its own. */
  begin(header: Header): Promise<Scratch>
  parent: { header: Header; hash: Hash }
  /** Gas that is left for all calls to come. */
  gasPool: bigint
  blockHash(number: bigint): Promise<Hash | undefined>
  signal: AbortSignal
}

/**
 * Runs one block: system calls, then overrides, then calls.
 * @throws JsonRpcError for a call that may not stand in a block, where the request asks for validation
 */
export async function runSimulatedBlock(
  planned: PlannedBlock,
  { request, begin, parent, gasPool, blockHash, signal }: SimulationProgress,
): Promise<SimulatedBlock> {
  const { config, validation, traceTransfers } = request
  const header = simulatedHeader(planned, parent, {
    base: request.base.header,
    validation,
    fork: config.fork,
  })
  const environment = { ...callEnvironment(header, planned.blockOverrides), blockHash }
  const scratch = await begin(header)
  const precompiles = await applyStateOverrides(scratch, planned.stateOverrides)

  const transactions: SignedTransaction[] = []
  const receipts: Receipt[] = []
  const blooms: Uint8Array[] = []
  const calls: CallOutcome[] = []
  let gasUsed = 0n
  for (const call of planned.calls) {
    signal.throwIfAborted()
    const gas = bigIntMin(callGas(call, header.gasLimit - gasUsed), gasPool - gasUsed)
    const nonce = call.nonce ?? (await scratch.getNonce(call.from))
    const transaction = simulatedTransaction(call, { gas, nonce, chainId: config.chainId })
    if (request.lendsFunds) await lendFunds(scratch, transaction)
    const outcome = await scratch
      .call(message(transaction, call), {
        environment,
        validate: validation,
        traceTransfers,
        ...(precompiles && { precompiles }),
      })
      .catch((error) => {
        throw simulationRefusal(error, transaction)
      })
    gasUsed += outcome.gasUsed
    transactions.push(transaction)
    calls.push(outcome)
    const bloom = logsBloom(realLogs(outcome.logs))
    blooms.push(bloom)
    receipts.push(receipt(transaction, outcome, bloom, gasUsed, header.baseFeePerGas))
  }
  const { stateRoot } = header
  const isZero = request.profile.simulateStateRoot === 'zero'
  const ended = { ...header, stateRoot: isZero ? stateRoot : await scratch.commit() }
  return { block: finish(ended, transactions, receipts, blooms), calls }
}

/**
 * What the sender lacks of its value and of its gas at the price it names is added to its balance,
 * where code can see it (RPC-SIM-09): the sum itself need not be anybody's.
 */
async function lendFunds(
  scratch: Scratch,
  { from, value, gas, maxFeePerGas }: SignedTransaction,
): Promise<void> {
  const cost = bigIntMin(value + gas * maxFeePerGas, MAX_INTEGER)
  if ((await scratch.getBalance(from)) < cost) await scratch.setBalance(from, cost)
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

function receipt(
  transaction: SignedTransaction,
  outcome: CallOutcome,
  bloom: Uint8Array,
  cumulativeGasUsed: bigint,
  baseFee: bigint,
): Receipt {
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return {
    type: transaction.type,
    status: outcome.status,
    cumulativeGasUsed,
    gasUsed: outcome.gasUsed,
    logs: outcome.logs,
    logsBloom: bytesToHex(bloom),
    contractAddress: outcome.contractAddress,
    effectiveGasPrice: bigIntMin(maxFeePerGas, baseFee + maxPriorityFeePerGas),
    output: outcome.output,
  }
}

/** Transfer logs are shown, but stand neither in the bloom nor in the receipts. */
function realLogs(logs: Log[]): Log[] {
  return logs.some(isTransfer) ? logs.filter((log) => !isTransfer(log)) : logs
}

function isTransfer({ address }: Log): boolean {
  return address === TRANSFERS
}

/** @param blooms of the receipts, as bytes: nothing that is hashed goes by way of hex */
function finish(
  start: Header,
  transactions: SignedTransaction[],
  receipts: Receipt[],
  blooms: readonly Uint8Array[],
): SimulatedBlock['block'] {
  const bloom = new Uint8Array(256)
  for (const one of blooms) mergeBloom(bloom, one)
  const header: Header = {
    ...start,
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
    logsBloom: bytesToHex(bloom),
    transactionsRoot: orderedTrieRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: orderedTrieRoot(
      receipts.map((one, index) =>
        encodeReceipt({ ...one, logs: realLogs(one.logs), logsBloom: blooms[index]! }),
      ),
    ),
  }
  const block = { header, transactions, receipts, hash: headerHash(header) }
  return { ...block, size: blockSize(block) }
}
