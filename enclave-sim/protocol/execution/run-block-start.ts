import { Address as EvmAddress, hexToBytes } from '@ethereumjs/util'
import type { Address, Hash } from '../types/bytes.ts'
import type { BlockEnvironment } from './executor.ts'
import { evmBlock, type Machine } from './machine.ts'
import { BEACON_ROOTS, HISTORY_STORAGE, SYSTEM_ADDRESS } from './predeploys.ts'

/** EIP-4788 and EIP-2935: what a system call may use; it counts for no one. */
const SYSTEM_CALL_GAS = 30_000_000n

/**
 * The calls before a block's first transaction: EIP-4788 stores the parent beacon block root, then
 * EIP-2935 the parent's hash. Without the contracts in the state they do nothing.
 */
export async function runBlockStart(
  machine: Machine,
  environment: BlockEnvironment,
  roots: { parentHash: Hash; parentBeaconBlockRoot: Hash },
): Promise<void> {
  await systemCall(machine, environment, BEACON_ROOTS, roots.parentBeaconBlockRoot)
  await systemCall(machine, environment, HISTORY_STORAGE, roots.parentHash)
}

async function systemCall(
  machine: Machine,
  environment: BlockEnvironment,
  to: Address,
  input: Hash,
): Promise<void> {
  const { evm, state } = machine
  machine.environment = environment
  evm.journal.cleanJournal()
  await evm.runCall({
    block: evmBlock(environment),
    caller: new EvmAddress(hexToBytes(SYSTEM_ADDRESS)),
    to: new EvmAddress(hexToBytes(to)),
    data: hexToBytes(input),
    gasLimit: SYSTEM_CALL_GAS,
    skipNonceIncrement: true,
  })
  // The caller is touched and empty, so it leaves no account behind (EIP-161).
  await state.world.endTransaction()
}
