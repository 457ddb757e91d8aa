import { expect, test } from 'vitest'
import { challengerPart } from '#devnet/rollup/parts/actor-parts'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { WorldParts } from '#devnet/rollup/world/world-parts'
import { judgeLog, parseLog } from './judge-log.ts'
import { startWeather } from './start-weather.ts'
import { allStories } from './stories/all-stories.ts'

/** Somebody lies about the rollup on L1: what is wrong at the end of that. By the devnet's own parts nothing is. */
async function gameViolations(parts: Partial<WorldParts>): Promise<string[]> {
  const { plan } = allStories.find(({ name }) => name === 'a-lie-on-l1')!
  await using world = await startSimulatedWorld(optionsFor(plan), parts)
  const { clients } = startWeather(world, plan)
  await world.runUntil(plan.duration + 4_000)
  clients.leave()
  const log = parseLog(world.recorder.toNdjson())
  expect(log.map(({ what }) => what)).toContain('game.forged')
  return judgeLog(log, ['games-end-in-truth']).map(({ problem }) => problem.replace(/0x\w+/, 'G'))
}

test('given a game with a false claim, when nobody challenges it, then it is told that it keeps its proof', async () => {
  const idle = { ...challengerPart, start: () => ({ stop: async () => {} }) }
  expect(await gameViolations({ challenger: idle })).toEqual([
    'Game G is false and keeps its proof.',
  ])
})
