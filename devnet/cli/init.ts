import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { addCommand, type CommandTable } from './add-command.ts'
import { type ProjectKind, projectFiles } from './project-files.ts'
import { UsageError } from './usage-error.ts'

const KINDS: readonly ProjectKind[] = ['vitest', 'playwright']

const INIT = {
  name: 'init',
  says: 'Write a first test into a folder: of a chain (vitest), or of a page with a wallet (playwright).',
  takes: { '<kind>': 'vitest or playwright', '[folder]': 'default: this one' },
  examples: ['rollbed init vitest', 'rollbed init playwright e2e'],
} as const satisfies CommandTable

/** `rollbed init`: a first test that is green. No file that is there is changed. */
export function addInitCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, INIT).action((kind: string, folder = '.') => {
    if (!isKind(kind)) throw new UsageError(`<kind> is vitest or playwright, not '${kind}'.`)
    const { files, manifest, packages } = projectFiles(kind)
    const there = Object.keys(files).find((name) => existsSync(join(folder, name)))
    if (there)
      throw new UsageError(`'${join(folder, there)}' is there already.`, 'Name another folder.')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const hasManifest = existsSync(join(folder, 'package.json'))
    if (!hasManifest) writeFileSync(join(folder, 'package.json'), manifest)
    const install = hasManifest ? `npm install --save-dev ${packages.join(' ')}` : 'npm install'
    const browser = kind === 'playwright' ? 'npx playwright install chromium\n' : ''
    const run = kind === 'playwright' ? 'npx playwright test' : 'npx vitest run'
    console.log(`Written to ${resolve(folder)}. There:\n${install}\n${browser}${run}`)
    finish(0)
  })
}

const isKind = (kind: string): kind is ProjectKind => KINDS.some((each) => each === kind)
