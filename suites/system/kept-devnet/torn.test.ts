import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { seededRng } from '#protocol/random/rng'
import { judgeTornFolder, type TornVerdict } from './judge-torn-folder.ts'
import { makeFoldersToTear } from './make-folders-to-tear.ts'
import { tornCases } from './torn-cases.ts'

test('given a folder of --state in which a file is cut, changed, missing or of another devnet or time, when it is opened, then all that users were told is there, or it is refused by name and left', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'rollbed-torn-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  // So that another user reaches what is in it.
  chmodSync(parent, 0o711)
  const folders = await makeFoldersToTear(parent)
  const cases = tornCases(folders, seededRng('torn'))
  const verdicts = new Map<string, TornVerdict>()
  for (const each of cases)
    verdicts.set(each.name, await judgeTornFolder(folders, each, join(parent, 'case')))
  const of = (outcome: TornVerdict['outcome']) =>
    [...verdicts].filter(([, verdict]) => verdict.outcome === outcome)
  expect(of('wrong')).toEqual([])
  expect(cases.length).toBeGreaterThanOrEqual(200)
  // What nobody reads, such as free pages, may change; most of these cases change what is read.
  expect(of('refused').length).toBeGreaterThan(150)
  expect(of('repaired').map(([name]) => name)).toEqual([
    'stopped: rollbed-progress.json missing',
    // As a start leaves it that was killed between making and writing it.
    'stopped: rollbed-progress.json cut at 0 of 512',
    'stopped: rollbed-state.json missing',
    'killed: rollbed-progress.json missing',
  ])
  // Nothing changed: the judge is not one that refuses all.
  const whole = { name: 'whole', from: 'killed', damage: () => {} } as const
  const verdict = await judgeTornFolder(folders, whole, join(parent, 'case'))
  expect(verdict).toEqual({ outcome: 'unharmed', words: '' })
})
