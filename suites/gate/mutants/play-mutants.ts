import { devnetTargets } from '#devnet/cli/devnet-targets'
import { startDevnet } from '#devnet/index'
import { createWorldProcess } from '#devnet/scenarios/create-world-process'
import type { Mutant } from '#mocks/index'
import { systemClock as clock } from '#protocol/clock/system-clock'
import {
  createTestMnemonicDriver,
  type MutantOptions,
  type MutantOutcome,
  type MutantReport,
  runConformance,
  runMutants,
  selectCases,
} from '../conformance/index.ts'
import { REPLAYED, replayMutants } from './replay-mutants.ts'
import { startFullTargets } from './start-full-targets.ts'

interface Playing extends Required<Pick<MutantOptions, 'signal' | 'onProgress'>> {
  zoo: readonly Mutant[]
  /** First before the answers of one run. */
  isReplayed?: boolean
}

/** A chain crosses once, and each mutant would need a crossing of its own: `suites/gate/today` plays it. */
const WHILE_IT_CROSSES = 'TODAY-CROSS-06'
/** Far enough for the gate to listen before it on a busy machine, too. */
const CROSSES_AFTER = '+12s'

/** Plays mutants, those of today's chain before a devnet of their own. */
export async function playMutants(playing: Playing): Promise<MutantReport> {
  if (!playing.isReplayed) return playAlone(playing)
  const { zoo, signal, onProgress } = playing
  const start = clock.now()
  const inRun = zoo.filter(({ target }) => REPLAYED.includes(target))
  const replayed = await replayBefore({ ...playing, zoo: inRun })
  const noticed = replayed.filter(({ verdict }) => verdict !== 'survived')
  const ids = new Set(noticed.map(({ id }) => id))
  const left = zoo.filter(({ id }) => !ids.has(id))
  const alone = left.length > 0 ? await playAlone({ zoo: left, signal, onProgress }) : undefined
  return {
    duration: clock.now() - start,
    outcomes: [...noticed, ...(alone?.outcomes ?? [])],
    unfitCases: alone?.unfitCases ?? [],
  }
}

/** What the cases that judge all answers make of each mutant, put before the answers of one run. */
async function replayBefore({ zoo, signal, onProgress }: Playing): Promise<MutantOutcome[]> {
  await using devnet = await startDevnet()
  const targets = devnetTargets(devnet.description)
  const driver = await createTestMnemonicDriver({ targets, clock, signal })
  const outcomes: MutantOutcome[] = []
  const last = replayMutants(zoo, (outcome) => {
    signal.throwIfAborted()
    outcomes.push(outcome)
    onProgress({ done: outcomes.length, total: zoo.length, outcome })
  })
  const cases = selectCases().filter(({ isDisruptive, area }) => !isDisruptive && area !== 'today')
  await runConformance({ targets, driver, clock, signal, cases: [...cases, last] })
  return outcomes
}

async function playAlone({ zoo, ...options }: Playing): Promise<MutantReport> {
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
  await using worlds = createWorldProcess()
  const startCallerWorld = worlds.start
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
