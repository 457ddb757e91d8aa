import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { seededRng } from '#protocol/random/rng'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { judgeTornFolder, type TornVerdict } from './judge-torn-folder.ts'
import { makeFoldersToTear } from './make-folders-to-tear.ts'
import type { TornCase } from './torn-case.ts'
import { tornCases } from './torn-cases.ts'
import type { TornTable } from './torn-table.ts'

/** What is written anew, with a word. */
const REPAIRED = [
  'stopped: rollbed-progress.json missing',
  // As a start leaves it that was killed between making and writing it.
  'stopped: rollbed-progress.json cut at 0 of 512',
  'stopped: rollbed-state.json missing',
  'killed: rollbed-progress.json missing',
]

test(`given a folder of --state in which a file is cut, changed, missing or of another devnet or time, or was not written where and when it should, drawn by ROLLBED_DRAW=${drawnBy}, when it is opened, then all that users were told is there, or it is refused by name and left`, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'rollbed-torn-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  // So that another user reaches what is in it.
  chmodSync(parent, 0o711)
  const folders = await makeFoldersToTear(parent)
  const all = tornCases(folders, seededRng('torn'))
  const drawn = new Set(drawShare(drawnBy, all, 1 / 3))
  const cases = all.filter((each) => drawn.has(each) || REPAIRED.includes(each.name))
  const table: TornTable = JSON.parse(
    readFileSync(join(import.meta.dirname, 'torn-table.json'), 'utf8'),
  )
  const verdicts = new Map<string, TornVerdict>()
  for (const each of cases) {
    const verdict = await judgeTornFolder(folders, each, join(parent, 'case'))
    verdicts.set(each.name, verdict)
    // What a loss of power leaves, for one, nobody may refuse.
    if (verdict.outcome === 'refused')
      expect(table[each.file]?.[each.kind], each.name).toHaveProperty('refused')
  }
  const of = (outcome: TornVerdict['outcome']) =>
    [...verdicts].filter(([, verdict]) => verdict.outcome === outcome)
  expect(of('wrong')).toEqual([])
  expect(all.length).toBeGreaterThanOrEqual(300)
  // What nobody reads, such as free pages, may change; most of these cases change what is read.
  expect(of('refused').length).toBeGreaterThan(cases.length / 2)
  expect(of('repaired').map(([name]) => name)).toEqual(REPAIRED)
  // Nothing changed: the judge is not one that refuses all.
  const whole: TornCase = {
    ...{ name: 'whole', file: 'l1.sqlite', kind: 'torn', from: 'killed' },
    damage: () => {},
  }
  const verdict = await judgeTornFolder(folders, whole, join(parent, 'case'))
  expect(verdict).toEqual({ outcome: 'unharmed', words: '' })
})
