import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { ROOT } from './source-tree.ts'

/** Where the site looks for the pages; git does not keep them. */
const FOLDER = 'devnet/docs/api'

/** The sources of the package's entries: `devnet/index.ts` → `rollbed`. */
export function publicEntries(): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>
  }
  return new Map(
    Object.entries(exports).flatMap(([name, { types }]) =>
      types
        ? [[types.replace(/^\.\/dist\/(.+)\.d\.ts$/, '$1.ts'), name.replace(/^\./, 'rollbed')]]
        : [],
    ),
  )
}

/**
 * Writes a page of each entry of the package, by typedoc, from the docstrings of what it exports.
 * @param folder emptied first
 */
async function writeApiPages(folder: string): Promise<void> {
  giveTypedocItsTypeScript()
  const { Application, LogLevel } = await import('typedoc')
  const ts = (await import('typescript-6')).default
  const names = publicEntries()
  const entryPoints = [...names.keys()].map((path) => join(ROOT, path))
  const app = await Application.bootstrapWithPlugins(
    {
      name: 'rollbed',
      entryPoints,
      basePath: ROOT,
      outputs: [{ name: 'markdown', path: folder }],
      plugin: ['typedoc-plugin-markdown'],
      // Of the plugin: a page for each entry.
      ...{ outputFileStrategy: 'modules', entryFileName: 'index', hideBreadcrumbs: true },
      readme: 'none',
      disableSources: true,
      excludeExternals: true,
      // TypeScript 7 checks; whether a name is exported that a type mentions is another test's.
      skipErrorChecking: true,
      validation: false,
      logLevel: LogLevel.Warn,
    },
    [],
  )
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  app.options.setCompilerOptions(entryPoints, options, undefined)
  const project = await app.convert()
  for (const entry of project?.children ?? [])
    entry.name = names.get(`${entry.name}/index.ts`) ?? entry.name
  if (project) await app.generateOutputs(project)
  if (!project || app.logger.hasErrors()) throw new Error('typedoc could not write the pages.')
}

/** It reads TypeScript 5 and 6, and ours is 7: it alone gets the older one. */
function giveTypedocItsTypeScript(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const isForTypedoc = context.parentURL?.includes('/node_modules/typedoc')
      return next(specifier === 'typescript' && isForTypedoc ? 'typescript-6' : specifier, context)
    },
  })
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(ROOT, FOLDER)
  await writeApiPages(folder)
  process.stdout.write(`${relative(process.cwd(), folder) || '.'}\n`)
}
