import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { toHtml } from '#reports/html/to-html'
import type { RunResult } from '#reports/model'
import { NotARun, parseRun } from '#reports/parse-run'
import { type NamedRun, type Site, siteOf } from './site-of.ts'
import { LAST_RUN, toSiteHtml } from './to-site-html.ts'

const RUNS = 'runs'

/** Puts a run into the folder of a site: `runs/<target>/<start>.json`. @returns the path written */
export async function addToSite(dir: string, target: string, run: RunResult): Promise<string> {
  const folder = join(dir, RUNS, target.replace(/[^\w.-]+/g, '-'))
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${run.startedAt.replaceAll(':', '-')}.json`)
  await writeFile(file, `${JSON.stringify(run)}\n`)
  return file
}

/**
 * Makes `index.html` and `site.json` of all runs below `runs`, the folder of a run being its target, and a
 * page of the last run of each.
 *
 * @param commits URL before the name of a build, to which builds are linked
 * @returns the paths written: none where there is no run @throws NotARun
 */
export async function writeSite(
  dir: string,
  { commits }: { commits?: string } = {},
): Promise<{ files: string[]; site: Site }> {
  const runs = await readRunsOf(dir)
  const site = siteOf(runs)
  if (runs.length === 0) return { files: [], site }
  const pages = [...Map.groupBy(runs, ({ target }) => target)].map(async ([target, group]) => {
    const last = group.toSorted((a, b) => a.run.startedAt.localeCompare(b.run.startedAt)).at(-1)!
    const path = join(dir, RUNS, target, LAST_RUN)
    await writeFile(path, toHtml(last.run))
    return path
  })
  const files = [join(dir, 'index.html'), join(dir, 'site.json')]
  await writeFile(files[0]!, toSiteHtml(site, { ...(commits && { commits }) }))
  await writeFile(files[1]!, `${JSON.stringify(site, null, 1)}\n`)
  return { files: [...files, ...(await Promise.all(pages))], site }
}

/** All runs below `runs` of a site's folder; none where there is no such folder. @throws NotARun, naming the file */
export async function readRunsOf(dir: string): Promise<NamedRun[]> {
  const root = join(dir, RUNS)
  const names = await readdir(root, { recursive: true }).catch(() => [] as string[])
  const runs: NamedRun[] = []
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const path = join(root, name)
    const [target = ''] = relative(root, path).split(sep)
    const file = relative(dir, path).split(sep).join('/')
    runs.push({ target, run: parseRunOf(path, await readFile(path, 'utf8')), file })
  }
  return runs
}

function parseRunOf(path: string, text: string): RunResult {
  try {
    return parseRun(text)
  } catch (error) {
    if (!(error instanceof NotARun)) throw error
    throw new NotARun(`${path}: ${error.message}`, { cause: error })
  }
}
