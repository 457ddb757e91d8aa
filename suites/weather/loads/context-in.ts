import { pino } from 'pino'
import type { World } from '#devnet/rollup/world/world'
import { createScenarioContext, type ScenarioContext } from '#devnet/scenarios/scenario-context'
import { sleep } from '#protocol/clock/clock'

/** Where named situations are played in a world: by its links, and its L1 mines when it mines. */
export function contextIn(world: World, signal: AbortSignal): ScenarioContext {
  const { clients, clock, facts, rollupConfig } = world
  return createScenarioContext({
    ...{ l1RpcUrl: clients.l1, rollupRpcUrl: clients.rollup, proverUrl: clients.host },
    ...{ contracts: facts.contracts, l1ChainId: facts.l1ChainId, clock },
    logger: pino({ level: 'silent' }),
    nextBlock: () => sleep(clock, rollupConfig.blockTime * 500, signal),
  })
}
