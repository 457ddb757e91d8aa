import type { EVMResult } from '@ethereumjs/evm'
import {
  bigIntMax,
  bigIntMin,
  bytesToHex,
  Address as EvmAddress,
  hexToBytes,
} from '@ethereumjs/util'
import type { Log } from '../types/block.ts'
import type { Address } from '../types/bytes.ts'
import type { AccessListEntry, Authorization } from '../types/transaction.ts'
import { applyAuthorizations } from './apply-authorizations.ts'
import { createdAddress } from './created-address.ts'
import type { BlockEnvironment, CallOutcome } from './executor.ts'
import { haltReason, haltWithoutCode } from './halt.ts'
import { intrinsicGas } from './intrinsic-gas.ts'
import { evmBlock, type Machine } from './machine.ts'

export interface Message {
  from: Address
  to: Address | null
  value: bigint
  data: Uint8Array
  /** Gas limit, intrinsic gas included. */
  gas: bigint
  /** What GASPRICE answers. */
  gasPrice: bigint
  accessList?: readonly AccessListEntry[] | undefined
  authorizationList?: readonly Authorization[] | undefined
}

export interface MessageOutcome extends CallOutcome {
  /** For `endTransaction`. */
  destroyed: Address[]
}

/**
 * Runs a message whose sender has paid already: warms addresses, applies authorizations, executes,
 * and reckons the gas. The caller has checked that gas covers the intrinsic part and the sender the
 * value, and has counted up the nonce.
 */
export async function runMessage(
  machine: Machine,
  message: Message,
  environment: BlockEnvironment,
): Promise<MessageOutcome> {
  const { evm } = machine
  machine.environment = environment
  evm.journal.cleanJournal()
  evm.transientStorage.clear()
  warm(machine, message, environment)
  const sender = await machine.state.world.entry(message.from)
  const created = message.to === null ? createdAddress(message.from, sender.nonce - 1n) : null
  const authorizationRefund = await applyAuthorizations(machine, message.authorizationList ?? [])
  const { gas: intrinsic, floor } = intrinsicGas(message)
  const result = await evm.runCall({
    block: evmBlock(environment),
    gasPrice: message.gasPrice,
    caller: new EvmAddress(hexToBytes(message.from)),
    gasLimit: message.gas - intrinsic,
    ...(message.to === null ? {} : { to: new EvmAddress(hexToBytes(message.to)) }),
    value: message.value,
    data: message.data,
    skipNonceIncrement: true,
  })
  const { execResult } = result
  const failed = execResult.exceptionError !== undefined
  const used = intrinsic + execResult.executionGasUsed
  const refund = authorizationRefund + (failed ? 0n : (execResult.gasRefund ?? 0n))
  return {
    ...outcome(result),
    // EIP-3529: at most a fifth comes back. EIP-7623: the floor holds after refunds.
    gasUsed: bigIntMax(used - bigIntMin(refund, used / 5n), floor),
    maxUsedGas: bigIntMax(used, floor),
    contractAddress: created,
    destroyed: failed ? [] : destroyedContracts(result),
  }
}

function warm({ evm, warmPrecompiles }: Machine, message: Message, environment: BlockEnvironment) {
  const { journal } = evm
  for (const address of warmPrecompiles) journal.addAlwaysWarmAddress(address)
  journal.addAlwaysWarmAddress(message.from)
  if (message.to !== null) journal.addAlwaysWarmAddress(message.to)
  // EIP-3651.
  journal.addAlwaysWarmAddress(environment.feeRecipient)
  for (const { address, storageKeys } of message.accessList ?? []) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}

function outcome({
  execResult,
}: EVMResult): Pick<CallOutcome, 'status' | 'output' | 'logs' | 'halt'> {
  const { exceptionError: error, returnValue, logs = [], runState } = execResult
  if (!error) return { status: 1, output: returnValue, logs: logs.map(toLog) }
  const halt = runState ? haltReason(error) : haltWithoutCode(error)
  const output = halt.kind === 'revert' ? returnValue : new Uint8Array(0)
  return { status: 0, output, logs: [], halt }
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: bytesToHex(address), topics: topics.map((topic) => bytesToHex(topic)), data }
}

/** EIP-6780: SELFDESTRUCT removes only what the same transaction created. */
function destroyedContracts({ execResult }: EVMResult): Address[] {
  const created = execResult.createdAddresses ?? new Set()
  return [...(execResult.selfdestruct?.keys() ?? [])].filter((address) => created.has(address))
}
