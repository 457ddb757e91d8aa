import { nodePart } from '#devnet/rollup/parts/node-part'
import type { WorldParts } from '#devnet/rollup/world/world-parts'
import { executionRules } from '#protocol/derivation/execution-rules'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'

/** A node that executes blocks in its own way. */
export const executing = (other: (executor: Executor) => Executor): Partial<WorldParts> => ({
  node: {
    ...nodePart,
    async start(...[context, given]: Parameters<typeof nodePart.start>) {
      const { executor = await createExecutor(executionRules(given.genesis.config)) } = given
      return nodePart.start(context, { ...given, executor: other(executor) })
    },
  },
})
