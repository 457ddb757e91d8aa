import { devnetTargets } from '#devnet/cli/devnet-targets'
import { startDevnet } from '#devnet/index'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import type { Mutant } from '#mocks/index'
import { systemClock as clock } from '#protocol/clock/system-clock'
import {
  createTestMnemonicDriver,
  type MutantOptions,
  type MutantReport,
  runMutants,
} from '../conformance/index.ts'
import { startFullTargets } from './start-full-targets.ts'

interface Playing extends Required<Pick<MutantOptions, 'signal' | 'onProgress'>> {
  zoo: readonly Mutant[]
}

/** A chain crosses once, and each mutant would need a crossing of its own: `suites/gate/today` plays it. */
const WHILE_IT_CROSSES = 'TODAY-CROSS-06'
/** Two blocks of before, and the first of 200 ms on the grid of 2 s. */
const CROSSES_AFTER = '+6s'

/** Plays mutants, those of today's chain before a devnet of their own. */
export async function playMutants({ zoo, ...options }: Playing): Promise<MutantReport> {
  const { ofToday = [], ofBefore = [] } = Object.groupBy(zoo, ({ area }) =>
    area === 'today' ? 'ofToday' : 'ofBefore',
  )
  const reports: MutantReport[] = []
  if (ofBefore.length > 0) reports.push(await playBefore({ ...options, zoo: ofBefore }))
  if (ofToday.length > 0) reports.push(await playToday({ ...options, zoo: ofToday }))
  return {
    duration: reports.reduce((sum, { duration }) => sum + duration, 0),
    outcomes: reports.flatMap(({ outcomes }) => outcomes),
    unfitCases: reports.flatMap(({ unfitCases }) => unfitCases),
  }
}

async function playBefore(playing: Playing): Promise<MutantReport> {
  // In blobs, as chains have them: PIPE-02 is judged nowhere else.
  await using devnet = await startDevnet({ dataAvailability: 'blobs' })
  await using full = await startFullTargets(devnet.description, clock)
  const { targets } = full
  const driver = await createTestMnemonicDriver({ targets, clock, signal: playing.signal })
  return await runMutants({ ...playing, targets, driver, clock, startCallerWorld })
}

async function playToday({ zoo, ...playing }: Playing): Promise<MutantReport> {
  const upgrades = { azul: 'genesis', denim: CROSSES_AFTER } as const
  await using devnet = await startDevnet({ upgrades })
  const targets = devnetTargets(devnet.description)
  const driver = await createTestMnemonicDriver({ targets, clock, signal: playing.signal })
  const playable = zoo.filter(({ rule }) => rule !== WHILE_IT_CROSSES)
  return await runMutants({ ...playing, targets, driver, clock, profile: 'today', zoo: playable })
}
