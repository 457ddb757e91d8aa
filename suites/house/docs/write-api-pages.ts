import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { lane } from '#suites/lane'
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

/** What we use of `typedoc`. */
interface Typedoc {
  Application: {
    bootstrapWithPlugins(
      options: object,
      readers: readonly object[],
    ): Promise<{
      options: { setCompilerOptions(files: string[], options: object, references: undefined): void }
      logger: { hasErrors(): boolean }
      convert(): Promise<{ children?: { name: string }[] } | undefined>
      generateOutputs(project: object): Promise<void>
    }>
  }
  LogLevel: { Warn: number }
}

/** What we use of the TypeScript that typedoc reads: 6, where ours is 7. */
interface TypeScript {
  sys: { readFile: object }
  readConfigFile(path: string, readFile: object): { config: { compilerOptions: object } }
  convertCompilerOptionsFromJson(options: object, folder: string): { options: object }
}

/**
 * Writes a page of each entry of the package, by typedoc, from the docstrings of what it exports.
 * @param folder emptied first
 */
async function writeApiPages(folder: string): Promise<void> {
  const { load, file } = lane('site')
  const { Application, LogLevel } = await load<Typedoc>('typedoc/dist/index.js')
  const { default: ts } = await load<{ default: TypeScript }>('typescript/lib/typescript.js')
  const names = publicEntries()
  const entryPoints = [...names.keys()].map((path) => join(ROOT, path))
  const app = await Application.bootstrapWithPlugins(
    {
      name: 'rollbed',
      entryPoints,
      basePath: ROOT,
      outputs: [{ name: 'markdown', path: folder }],
      plugin: [file('typedoc-plugin-markdown/dist/index.js')],
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

if (import.meta.main) {
  const folder = process.argv[2] ?? join(ROOT, FOLDER)
  await writeApiPages(folder)
  process.stdout.write(`${relative(process.cwd(), folder) || '.'}\n`)
}
