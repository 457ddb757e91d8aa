import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRng } from '#protocol/random/rng'
import { judgeTornFolder } from './judge-torn-folder.ts'
import { makeFoldersToTear } from './make-folders-to-tear.ts'
import { tornCases } from './torn-cases.ts'

/**
 * `npm run torn`: every way in which a file of `--state` comes back damaged, one line each; those that
 * started wrong, or were refused without saying what, make the exit code 1.
 */
const parent = mkdtempSync(join(tmpdir(), 'rollbed-torn-'))
try {
  // So that another user reaches what is in it.
  chmodSync(parent, 0o711)
  const folders = await makeFoldersToTear(parent)
  const counts = new Map<string, number>()
  for (const each of tornCases(folders, seededRng('torn'))) {
    const { outcome, words } = await judgeTornFolder(folders, each, join(parent, 'case'))
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    process.stdout.write(`${outcome} | ${each.name} | ${words.replaceAll(`${parent}/`, '')}\n`)
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
  process.exitCode = counts.has('wrong') ? 1 : 0
} finally {
  rmSync(parent, { recursive: true, force: true })
}
