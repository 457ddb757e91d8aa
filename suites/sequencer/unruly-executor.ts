import { createExecutor } from '../../enclave-sim/protocol/execution/create-executor.ts'
import type { Executor, OpenBlock } from '../../enclave-sim/protocol/execution/executor.ts'
import type { Transaction } from '../../enclave-sim/protocol/types/transaction.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'

/** The real executor; `before` runs before each transaction and may wait or throw. */
export async function unrulyExecutor(
  before: (transaction: Transaction) => Promise<void> | void,
): Promise<Executor> {
  const executor = await createExecutor({ chainId: BigInt(l2ChainId), fork: 'jovian' })
  return {
    openScratch: (options) => executor.openScratch(options),
    call: executor.call,
    callAtHand: executor.callAtHand,
    async openBlock(options) {
      const block = await executor.openBlock(options)
      const execute: OpenBlock['execute'] = async (transaction) => {
        await before(transaction)
        return block.execute(transaction)
      }
      return new Proxy(block, {
        get: (target, key) => {
          const value: unknown = key === 'execute' ? execute : Reflect.get(target, key, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}
