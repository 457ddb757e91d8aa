import { dirname } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorldProcess } from '#devnet/scenarios/create-world-process'
import { systemClock } from '#protocol/clock/system-clock'
import { foundryBinary } from '#suites/clients/cast-for'
import { lane } from '#suites/lane'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { runConformance, selectCases } from '../conformance/index.ts'
import {
  type CallerBug,
  kindOf,
  plantBug,
  type Sample,
  sampleCommand,
  sampleText,
} from './caller-bug.ts'
import { CALLER_BUGS } from './caller-bugs.ts'

const TIMEOUT = 900_000
const isNight = drawnBy === 'all'
const castFolder = dirname(foundryBinary('cast'))
const isCast = ({ sample }: { sample: Sample }) => sample === 'cast-challenger.sh'
/** One each: a world of its own is a whole devnet. */
const drawn = [CALLER_BUGS.filter((bug) => !isCast(bug)), CALLER_BUGS.filter(isCast)].flatMap(
  (bugs) => drawShare(drawnBy, bugs, 1 / bugs.length),
)

const { start: startCallerWorld, stop: stopWorlds } = createWorldProcess()
afterAll(stopWorlds)

async function judge(sample: Sample, command: string, only: string) {
  const targets = { [kindOf(sample)]: command }
  const cases = selectCases(only)
  const run = await runConformance({ targets, cases, clock: systemClock, startCallerWorld })
  return run.cases
}

describe('the planted bugs', () => {
  test('given all of them, then there are thirty and more, each of another name, in three callers', () => {
    const names = CALLER_BUGS.map(({ name }) => name)
    expect(new Set(names).size).toBeGreaterThanOrEqual(30)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(CALLER_BUGS.map(({ sample }) => sample)).size).toBe(3)
  })

  test.each(CALLER_BUGS)('given $name, then its sample has the line that it changes', (bug) => {
    expect(sampleText(bug.sample)).toContain(bug.from)
    expect(selectCases(bug.fails)).toHaveLength(1)
  })
})

describe.each(drawn)(`$name, drawn by ROLLBED_DRAW=${drawnBy}`, (bug: CallerBug) => {
  test.skipIf(isCast(bug) && !lane('clients').isInstalled)(
    'given the bug, then its case fails, and the failure names the place, what was sent there and what is right',
    async () => {
      await using planted = await plantBug(bug, castFolder)
      const [found] = await judge(bug.sample, planted.command, bug.fails)
      // Of a case that says what a caller should do: it is told, and fails a strict run alone.
      expect(['fail', 'non-strict']).toContain(found!.verdict)
      expect(found).toMatchObject({ failure: { at: bug.at } })
      expect(found!.failure!.expected).not.toEqual(found!.failure!.actual)
      expect(found!.reason).toContain(found!.rules[0])
    },
    TIMEOUT,
  )
})

const RIGHT: readonly [Sample, string][] = [
  ['viem-challenger.ts', 'challenger'],
  ['ethers-proposer.ts', 'proposer'],
  ['cast-challenger.sh', 'challenger'],
]

test.skipIf(!isNight).each(RIGHT)(
  'given %s as it is, then it passes all cases, and the first of them ten times in a row',
  async (sample, area) => {
    if (isCast({ sample }) && !lane('clients').isInstalled) return
    const [first] = selectCases(area)
    for (const only of [area, ...Array.from({ length: 10 }, () => first!.id)]) {
      const results = await judge(sample, sampleCommand(sample, castFolder), only)
      const others = results.filter(({ verdict }) => verdict !== 'pass')
      expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    }
  },
  2 * TIMEOUT,
)
