import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { RunResult } from '#reports/model'
import { parseRun } from '#reports/parse-run'
import { type NamedRun, type Site, siteOf } from './site-of.ts'
import { toSiteHtml } from './to-site-html.ts'

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
 * Makes `index.html` and `site.json` of all runs below `runs`; the folder of a run is its target.
 *
 * @returns the paths written @throws NotARun
 */
export async function writeSite(dir: string): Promise<{ files: string[]; site: Site }> {
  const root = join(dir, RUNS)
  const names = await readdir(root, { recursive: true }).catch(() => [] as string[])
  const runs: NamedRun[] = []
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const path = join(root, name)
    const [target = ''] = relative(root, path).split(sep)
    runs.push({ target, run: parseRun(await readFile(path, 'utf8')) })
  }
  const site = siteOf(runs)
  const files = [join(dir, 'index.html'), join(dir, 'site.json')]
  await writeFile(files[0]!, toSiteHtml(site))
  await writeFile(files[1]!, `${JSON.stringify(site, null, 1)}\n`)
  return { files, site }
}
