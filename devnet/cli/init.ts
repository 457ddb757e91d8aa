import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isNewEnough } from '#devnet/base/process/least-node'
import { addCommand, type CommandTable } from './add-command.ts'
import { type FlagsOf, on } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { nodeOfScripts } from './node-of-scripts.ts'
import { OWN_NODE, type ProjectKind, projectFiles } from './project-files.ts'
import { UsageError } from './usage-error.ts'

const KINDS: readonly ProjectKind[] = ['vitest', 'playwright', 'next']

/** What puts packages into a manifest that is there. */
const SAVE = ['npm', 'install', '--save-dev']

const INIT = {
  name: 'init',
  says: 'Write a first test into a folder: of a chain (vitest), of a page with a wallet (playwright), or a sample dapp with its test (next).',
  takes: { '<kind>': 'vitest, playwright or next', '[folder]': 'default: this one' },
  flags: { json: on('print {folder, files, next}, next being the commands to type there') },
  examples: ['rollbed init vitest', 'rollbed init playwright e2e', 'rollbed init next tip-jar'],
} as const satisfies CommandTable

/** `rollbed init`: a first test that is green. No file that is there is changed. */
export function addInitCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, INIT).action(
    (kind: string, folder = '.', { json }: FlagsOf<typeof INIT.flags>) => {
      if (!isKind(kind))
        throw new UsageError(`<kind> is vitest, playwright or next, not '${kind}'.`)
      const node = nodeOfScripts()
      const needsNode = node !== undefined && !isNewEnough(node)
      const { files, manifest, packages } = projectFiles(kind, { needsNode })
      // A dapp is a project of its own: what another package.json says of its modules would break it.
      const own = kind === 'next' ? ['package.json'] : []
      const there = [...own, ...Object.keys(files)].find((name) => existsSync(join(folder, name)))
      if (there)
        throw new UsageError(`'${join(folder, there)}' is there already.`, 'Name another folder.')
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      const manifestPath = join(folder, 'package.json')
      const named = existsSync(manifestPath)
        ? namedIn(readFileSync(manifestPath, 'utf8'))
        : undefined
      const written = Object.keys(files)
      if (!named) {
        writeFileSync(manifestPath, manifest)
        written.push('package.json')
      }
      const missing = packages.filter((name) => !named?.has(name))
      const asked = missing.map((name) => (name === 'node' ? OWN_NODE : name))
      const install = named ? [...SAVE, ...asked] : ['npm', 'install']
      const run =
        kind === 'vitest'
          ? ['npx vitest run']
          : ['npx playwright install chromium', 'npx playwright test']
      const next = missing.length > 0 ? [install.join(' '), ...run] : run
      const place = resolve(folder)
      if (json) console.log(jsonOf('init', { folder: place, files: written, next }))
      else console.log([`Written to ${place}. There:`, ...next].join('\n'))
      finish(0)
    },
  )
}

const isKind = (kind: string): kind is ProjectKind => KINDS.some((each) => each === kind)

/** The packages that a manifest asks for; none where it cannot be read: npm says that better. */
function namedIn(manifest: string): Set<string> {
  try {
    const { dependencies, devDependencies } = JSON.parse(manifest)
    return new Set(Object.keys({ ...dependencies, ...devDependencies }))
  } catch {
    return new Set()
  }
}
