import { l2ChainId } from '#fixtures/chain/constants'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import type { Transaction } from '#protocol/types/transaction'

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
