import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../docs/source-tree.ts'

const PAGES = ['README.md', 'devnet/docs/*.md', 'reports/*.md']
/** What is no program, and why. */
const NO_PROGRAMS: Readonly<Record<string, string>> = {
  'explorer-1': 'one member of an object, to be copied into one',
}
/** What pages take as given, and say so in words. */
const SURROUNDINGS = `declare const devnet: import('rollbed').Devnet
`
/** As strict as a project of today begins with. */
const OPTIONS = {
  noEmit: true,
  strict: true,
  target: 'esnext',
  lib: ['esnext', 'dom', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
}

/**
 * Writes each piece of TypeScript that a page shows as a file of its own, and beside them what they take
 * as given.
 * @param folder a project in which rollbed and what it stands beside are installed
 * @returns the names of the files, by page and place
 */
export function writeExamples(folder: string): string[] {
  const examples = join(folder, 'examples')
  mkdirSync(examples, { recursive: true })
  writeFileSync(join(examples, 'surroundings.d.ts'), SURROUNDINGS)
  writeFileSync(join(examples, 'package.json'), JSON.stringify({ type: 'module' }))
  return globSync(PAGES, { cwd: ROOT }).flatMap((page) => {
    const markdown = readFileSync(join(ROOT, page), 'utf8')
    const fences = [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
    return fences.flatMap((code, index) => {
      const name = `${basename(page, '.md')}-${index + 1}`
      if (NO_PROGRAMS[name]) return []
      // What imports nothing would be a script, and share its names with others.
      writeFileSync(join(examples, `${name}.ts`), `${code}export {}\n`)
      return [`${name}.ts`]
    })
  })
}

export interface TypeCheckParameters {
  /** The one of `writeExamples`. */
  folder: string
  /** The package of the compiler. */
  typescript: string
  skipLibCheck: boolean
  /** Of this compiler: others need not know them. */
  flags?: readonly string[]
}

/**
 * Compiles the examples as a user's editor does. What is wrong in the declarations of other packages is
 * not ours to mend, and left out.
 * @returns what the compiler says, a problem each
 */
export async function typeCheckExamples(parameters: TypeCheckParameters): Promise<string[]> {
  const { folder, typescript, skipLibCheck, flags = [] } = parameters
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { ...OPTIONS, skipLibCheck }
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['examples'] }))
  const args = [join(typescript, 'bin', 'tsc'), '-p', config, '--pretty', 'false', ...flags]
  const said = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, out) => {
      // It ends with 1 or 2 where something is wrong, and says what.
      if (error && !out) reject(error)
      else resolve(out)
    })
  })
  return said.split(/\n(?! )/).filter((problem) => problem.trim() !== '' && !isOfOthers(problem))
}

const isOfOthers = (problem: string) =>
  /^(?:\.\.\/)*node_modules\//.test(problem) && !problem.startsWith('node_modules/rollbed/')
