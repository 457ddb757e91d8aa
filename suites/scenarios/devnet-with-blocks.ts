import { pino } from 'pino'
import type { DevnetOptions } from '../../devnet/devnet-options.ts'
import { openStage } from '../../devnet/scenarios/stage.ts'
import { type Devnet, startDevnet } from '../../devnet/start-devnet.ts'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'

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
    const stage = openStage({ ...devnet.description, clock: systemClock, logger })
    await stage.untilSafe(BigInt(count))
    return devnet
  } catch (error) {
    await devnet.stop()
    throw error
  }
}
