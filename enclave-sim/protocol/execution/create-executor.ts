import type { Engine } from '../evm/engine.ts'
import type { ExecutionConfig } from '../types/execution-config.ts'
import { createReadOnlyCall } from './create-read-only-call.ts'
import type { Executor } from './executor.ts'
import { createMachine } from './machine.ts'
import { openBlock } from './open-block.ts'
import { openScratch } from './open-scratch.ts'

/**
 * Makes an executor for one OP chain. It costs a few milliseconds; keep it.
 *
 * @param engine that nothing else uses; a fresh one by default
 * @example
 * const executor = await createExecutor({ chainId: 84538453n, fork: 'jovian' })
 * const block = await executor.openBlock({ store, parent, parentHash, attributes, blockHash })
 * for (const raw of attributes.transactions) await block.execute(decodeTransaction(raw))
 * const { hash, header, receipts } = await block.seal()
 */
export async function createExecutor(config: ExecutionConfig, engine?: Engine): Promise<Executor> {
  const machine = await createMachine(config, engine)
  return {
    openBlock: (options) => openBlock(machine, options),
    openScratch: (options) => openScratch(machine, options),
    ...createReadOnlyCall(machine),
  }
}
