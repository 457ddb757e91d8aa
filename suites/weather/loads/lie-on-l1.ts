import { pino } from 'pino'
import type { World } from '#devnet/rollup/world/world'
import { forgeBadRoot } from '#devnet/scenarios/bad-root'
import { createScenarioContext, type ScenarioContext } from '#devnet/scenarios/scenario-context'
import { sleep } from '#protocol/clock/clock'

/** Of TEEVerifier: whoever signed is not registered. */
const UNKNOWN_SIGNER = 'InvalidSigner'

/**
 * Somebody with a leaked key, who proposes what is not true until a game of it stands on L1, or until the registrar has
 * struck his key off: no enclave has it.
 */
export async function lieOnL1(world: World, signal: AbortSignal): Promise<void> {
  const context = contextIn(world, signal)
  while (!signal.aborted) {
    try {
      const { game } = await forgeBadRoot(context, () => 0)
      world.recorder.record('liar', 'game.forged', { address: game.address })
      return
    } catch (error) {
      // Its weather is the actors' weather, too.
      world.recorder.record('liar', 'game.failed', { why: String(error) })
      if (String(error).includes(UNKNOWN_SIGNER)) return
      await sleep(world.clock, world.rollupConfig.blockTime * 1000, signal).catch(() => {})
    }
  }
}

function contextIn(world: World, signal: AbortSignal): ScenarioContext {
  const { clients, clock, facts, rollupConfig } = world
  return createScenarioContext({
    ...{ l1RpcUrl: clients.l1, rollupRpcUrl: clients.rollup, proverUrl: clients.host },
    ...{ contracts: facts.contracts, l1ChainId: facts.l1ChainId, clock },
    logger: pino({ level: 'silent' }),
    nextBlock: () => sleep(clock, rollupConfig.blockTime * 500, signal),
  })
}
