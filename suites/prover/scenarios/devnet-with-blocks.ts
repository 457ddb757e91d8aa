import { pino } from 'pino'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import { createScenarioContext } from '#devnet/scenarios/scenario-context'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'

/** A devnet with so many L2 blocks, all of them safe, and no more until it is told. */
export async function devnetWithBlocks(
  count: number,
  options: DevnetOptions = {},
): Promise<Devnet> {
  const quiet = { blockTime: 1, l1BlockTime: 1, batchInterval: 100, logLevel: 'silent' } as const
  const devnet = await startDevnet({ manual: true, ...quiet, ...options })
  try {
    for (let block = 0; block < count; block += 1) await devnet.node.seal()
    const logger = pino({ level: 'silent' })
    const context = createScenarioContext({ ...devnet.description, clock: systemClock, logger })
    await context.untilSafe(BigInt(count))
    return devnet
  } catch (error) {
    await devnet.stop()
    throw error
  }
}
