import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type Plugin, stop } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ROOM = 'devnet/cli/up-program'

/** They look for files beside themselves, or are not needed before somebody has them. */
const NOT_BUNDLED = /^(secp256k1|koffi|esbuild|pg|@fastify\/.*-compiler)$/

/** CommonJS packages inside an ES module need a require; our own modules ask where they lie. */
const BANNER = `import { createRequire as makeRequire_ } from 'node:module'
import { fileURLToPath as pathOfUrl_ } from 'node:url'
import { dirname as folderOf_ } from 'node:path'
const require = makeRequire_(import.meta.url)
const metaOf_ = (place) => {
  const url = new URL(place, import.meta.url).href
  const filename = pathOfUrl_(url)
  return { url, filename, dirname: folderOf_(filename) }
}
const here_ = import.meta.url`

/** What a module of ours asks of itself; in the code, not in its texts. */
const META = ['url', 'filename', 'dirname', 'main']

/** How a module names the program of its thread: from the bundle, a thread starts in the bundle, too. */
const THREAD = /new URL\('\.\/([\w-]+-worker)\.ts', import\.meta\.url\)/

/** A module that imports this has all its getters asked, and the one of `WebSocket` loads another HTTP for 20 ms. */
const ONE_BY_ONE = 'one-by-one'
const askedOneByOne: Plugin = {
  name: ONE_BY_ONE,
  setup({ onLoad, onResolve }) {
    const namespace = ONE_BY_ONE
    onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace }))
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

export interface UpBundle {
  /** Filled with `start-up.mjs` and what that imports. */
  outDir: string
  /** Where the modules lie that the bundle stands for: their files are read, and their workers started. */
  modulesDir: string
  /** Of those modules: compiled or not. */
  extension: '.ts' | '.js'
}

/**
 * Bundles `rollbed up`, `host` and `actors` with the packages that they run on: some 2,000 modules to find, read and
 * link are half of a start. Names are not made shorter, for the sake of whoever reads a stack; esbuild's
 * `keepNames` would name each function anew whenever it is made, a fifth of a call's time.
 * @returns what it is made of that is ours, this file too, as paths in the checkout
 */
export async function bundleUp({ outDir, modulesDir, extension }: UpBundle): Promise<string[]> {
  const ownPlaces: Plugin = {
    name: 'own-places',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: NOT_BUNDLED }, ({ path }) => ({ path, external: true }))
      onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
        const file = relative(ROOT, path)
        const source = readFileSync(path, 'utf8').replace(THREAD, "new URL('./$1.mjs', here_)")
        if (!/\bimport\.meta\b/.test(source)) return undefined
        // Where a package will lie nobody knows.
        if (file.includes('node_modules')) throw new Error(`${file} asks where it lies`)
        const module = join(modulesDir, file.replace(/\.ts$/, extension))
        const place = JSON.stringify(relative(outDir, module))
        return { contents: `const meta_ = metaOf_(${place});${source}`, loader: 'ts' }
      })
    },
  }
  const programs = [
    `${ROOM}/start-up.ts`,
    `${ROOM}/run-up.ts`,
    ...globSync('devnet/**/*-worker.ts', { cwd: ROOT }),
  ]
  try {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: programs.map((path) => ({ in: path, out: basename(path, '.ts') })),
      outdir: outDir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      define: Object.fromEntries(META.map((name) => [`import.meta.${name}`, `meta_.${name}`])),
      format: 'esm',
      target: 'node22',
      // The text stays in memory, in two bytes each where one character in a file is not Latin.
      charset: 'ascii',
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'silent',
      metafile: true,
      plugins: [askedOneByOne, ownPlaces],
      banner: { js: BANNER },
    })
    const isOwn = (file: string) => !file.includes('node_modules') && !file.startsWith(ONE_BY_ONE)
    return [relative(ROOT, import.meta.filename), ...Object.keys(metafile.inputs).filter(isOwn)]
  } finally {
    await stop()
  }
}
