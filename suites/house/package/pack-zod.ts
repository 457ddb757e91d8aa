import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, stop } from 'esbuild'
import { pruneDeclarations } from './prune-declarations.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FOLDER = 'node_modules/zod'
/** What built files call it by. */
const OWN = '#zod'
/** What `import from 'zod'` declares; the package has its sources, its third version and a small one beside it. */
const DECLARATIONS = ['index.d.ts', 'v4/{classic,core,locales}/**/*.d.ts']

/**
 * Puts zod beside the built files, as one module with its types, and has them ask for that one: its package
 * takes 8.6 MB on a disk, what we use of it 1.3.
 *
 * @param outDir holds the built files
 * @returns the line for `imports` of their package.json
 */
export async function packZod(outDir: string): Promise<Record<string, object>> {
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['zod'],
      outfile: join(outDir, 'zod', 'index.js'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      logLevel: 'silent',
    })
  } finally {
    await stop()
  }
  for (const file of globSync(DECLARATIONS, { cwd: join(ROOT, FOLDER) })) {
    mkdirSync(join(outDir, 'zod', dirname(file)), { recursive: true })
    cpSync(join(ROOT, FOLDER, file), join(outDir, 'zod', file))
  }
  pruneDeclarations(join(outDir, 'zod'), ['index.d.ts'])
  for (const file of globSync('**/*.{js,d.ts}', { cwd: outDir })) {
    const built = readFileSync(join(outDir, file), 'utf8')
    const asking = built.replaceAll(/\bfrom 'zod'/g, `from '${OWN}'`)
    if (asking !== built) writeFileSync(join(outDir, file), asking)
  }
  return { [OWN]: { types: './zod/index.d.ts', default: './zod/index.js' } }
}
