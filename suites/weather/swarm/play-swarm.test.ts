import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { run } from '../../../devnet/cli/run.ts'
import { CHECKERS } from '../checkers/judge-log.ts'
import { drawPlan } from './draw-plan.ts'
import { playSwarm, simulatedPlaces } from './play-swarm.ts'

afterEach(() => vi.restoreAllMocks())

describe('a swarm', () => {
  test('given a seed, then its plan is always the same, and another seed has another', async () => {
    const places = await simulatedPlaces()
    expect(drawPlan(7, places)).toEqual(drawPlan(7, places))
    const plans = Array.from({ length: 50 }, (_, seed) => drawPlan(seed, places))
    expect(new Set(plans.map(({ faults }) => JSON.stringify(faults))).size).toBe(50)
    expect(plans.some(({ load }) => load.proofs === 0)).toBe(true)
    expect(plans.some(({ load }) => load.proofs > 0)).toBe(true)
  })

  test('given shards, then each run is played in one of them', async () => {
    const one = await playSwarm({ runs: 2, seed: 100, shard: { index: 1, of: 2 } })
    expect(one.played).toBe(1)
    expect(one.failure).toBeUndefined()
    expect(Object.values(one.reached).some((count) => count === 1)).toBe(true)
  })

  test('given a checker that fails, then exit 1, a line to repeat it by, and the log', async () => {
    const out = mkdtempSync(join(tmpdir(), 'swarm-'))
    const errors: string[] = []
    vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(String(line)))
    const safety = vi.spyOn(CHECKERS[0]!, 'safety').mockReturnValue([{ t: 5, problem: 'planted' }])
    try {
      expect(await run(['fault', 'swarm', '--runs', '3', '--seed', '100', '--out', out])).toBe(1)
      expect(safety).toHaveBeenCalledTimes(1)
      expect(errors.join('\n')).toMatch(/planted\nAgain: rollbed fault swarm --seed 100 --runs 1/)
      expect(readFileSync(join(out, 'events.ndjson'), 'utf8')).toContain('"what":"probe.done"')
      expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toMatchObject({ seed: 100 })
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
  })

  test.each(['4/4', '1', 'a/b'])('given the shard %s, then exit 2', async (shard) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await run(['fault', 'swarm', '--runs', '1', '--shard', shard])).toBe(2)
  })
})
