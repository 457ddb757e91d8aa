import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKOUT, isFresh, KEPT_IN, MADE_OF, type MadeOf, stateOf } from './is-fresh.ts'

/** Changes with the packages. */
const PACKAGES = 'node_modules/.package-lock.json'

/** Bundles `rollbed up` for this checkout, unless the bundle there is of these sources. */
export async function keepUpBundle(): Promise<void> {
  if (isFresh()) return
  const { bundleUp } = await import('./bundle-up.ts')
  const kept = join(CHECKOUT, KEPT_IN)
  const partial = `${kept}.${process.pid}`
  await mkdir(partial, { recursive: true })
  try {
    const own = await bundleUp({ outDir: partial, modulesDir: CHECKOUT, extension: '.ts' })
    const files = Object.fromEntries(
      [PACKAGES, ...own].map((file) => [file, stateOf(join(CHECKOUT, file))]),
    )
    const madeOf: MadeOf = { root: CHECKOUT, files }
    await writeFile(join(partial, MADE_OF), JSON.stringify(madeOf))
    // Renamed into place: who starts meanwhile has the sources.
    await rm(kept, { recursive: true, force: true })
    await rename(partial, kept)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
