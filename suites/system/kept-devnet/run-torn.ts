import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { seededRng } from '#protocol/random/rng'
import { judgeTornFolder } from './judge-torn-folder.ts'
import { makeFoldersToTear } from './make-folders-to-tear.ts'
import { tornCases } from './torn-cases.ts'
import { tornTable } from './torn-table.ts'

const values = new Command('npm run torn --')
  .description(
    'Every way in which a file of `--state` comes back damaged, one line each. Those that started wrong, or were refused without saying what, make the exit code 1.',
  )
  .option('--record <file>', 'write what the page of damaged files is made of')
  .parse()
  .opts<{ record?: string }>()
const parent = mkdtempSync(join(tmpdir(), 'rollbed-torn-'))
try {
  // So that another user reaches what is in it.
  chmodSync(parent, 0o711)
  const folders = await makeFoldersToTear(parent)
  const counts = new Map<string, number>()
  const judged = []
  for (const each of tornCases(folders, seededRng('torn'))) {
    const { outcome, words } = await judgeTornFolder(folders, each, join(parent, 'case'))
    judged.push({ each, outcome })
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    process.stdout.write(`${outcome} | ${each.name} | ${words.replaceAll(`${parent}/`, '')}\n`)
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
  if (values.record)
    writeFileSync(values.record, `${JSON.stringify(tornTable(judged), undefined, 2)}\n`)
  process.exitCode = counts.has('wrong') ? 1 : 0
} finally {
  rmSync(parent, { recursive: true, force: true })
}
