import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'

const PAGE = join(import.meta.dirname, 'page')
/** A package holds the page as it was built; a checkout builds it when somebody first looks. */
const IS_PACKAGE = extname(import.meta.filename) === '.js'

export interface PageFiles {
  html: string
  script: string
  style: string
}

let built: Promise<PageFiles> | undefined

/** The page of the dashboard: one file of each kind, and nothing to load from elsewhere. */
export function pageFiles(): Promise<PageFiles> {
  built ??= (IS_PACKAGE ? readPage(PAGE) : buildAside()).catch((error) => {
    built = undefined
    throw error
  })
  return built
}

/** Bundles the page into a folder. By a process of its own: the blocks of a devnet do not wait for it. */
export async function buildPage(folder: string): Promise<void> {
  const require = createRequire(import.meta.url)
  await mkdir(folder, { recursive: true })
  await promisify(execFile)(
    require.resolve('esbuild/bin/esbuild'),
    [
      ...['main.tsx', 'page.css', `--outdir=${folder}`, '--bundle', '--minify', '--format=esm'],
      ...['--target=es2022', '--jsx=automatic', '--jsx-import-source=preact'],
      ...['--legal-comments=none', '--charset=utf8', '--log-level=warning'],
    ],
    { cwd: PAGE },
  )
  await writeFile(join(folder, 'page.html'), await readFile(join(PAGE, 'page.html')))
}

async function buildAside(): Promise<PageFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-page-'))
  try {
    await buildPage(folder)
    return await readPage(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readPage(folder: string): Promise<PageFiles> {
  const [html, script, style] = await Promise.all(
    ['page.html', 'main.js', 'page.css'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  return { html: html!, script: script!, style: style! }
}
