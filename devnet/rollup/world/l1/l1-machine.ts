import type { Engine } from '#protocol/evm/engine'
import { createReadOnlyCall } from '#protocol/execution/create-read-only-call'
import type { Executor } from '#protocol/execution/executor'
import { createMachine, type Machine } from '#protocol/execution/machine'
import { openScratch } from '#protocol/execution/open-scratch'
import { precompilesOf } from '#protocol/execution/precompiles'

/**
 * The EVM with L1's rules, as far as they are Prague's: OP chains add to these.
 * @param engine that nothing else uses; a fresh one by default
 */
export async function createL1Machine(chainId: bigint, engine?: Engine): Promise<Machine> {
  const machine = await createMachine({ chainId, fork: 'isthmus' }, engine)
  const prague = await precompilesOf('prague')
  return { ...machine, precompiles: { ...machine.precompiles, prague } }
}

/**
 * For calls alone: a block of L1 is built by `openL1Block`.
 * @param engine that nothing else uses; a fresh one by default
 */
export async function createL1CallExecutor(chainId: bigint, engine?: Engine): Promise<Executor> {
  const machine = await createL1Machine(chainId, engine)
  return {
    openBlock: () => Promise.reject(new Error('Blocks of L1 are opened by openL1Block.')),
    openScratch: (options) => openScratch(machine, options),
    ...createReadOnlyCall(machine),
  }
}
