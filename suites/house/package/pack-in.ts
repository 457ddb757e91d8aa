import { readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin, stop } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * Modules that have in them what they import of packages that nobody else of ours asks for: of much to
 * install, little is used.
 */
const MODULES = [
  'devnet/base/prometheus',
  'devnet/builder-codes/attribution/erc8021',
  'devnet/l1/blobs/kzg-worker',
  'enclave-sim/protocol/crypto/kzg',
  'enclave-sim/protocol/execution/ethereumjs',
  'suites/gate/conformance/payloads/fast-check',
  'suites/gate/conformance/payloads/outcomes-of',
  'suites/gate/conformance/spec/indexed-root',
  'suites/gate/conformance/spec/ox-attribution',
]

/** CommonJS packages inside an ES module need a require. */
const BANNER = `import { createRequire as makeRequire_ } from 'node:module'
const require = makeRequire_(import.meta.url)`

/**
 * Writes these modules anew, with the packages that are not installed with rollbed.
 * @param outDir holds the built files
 * @returns the folders of those packages, such as `node_modules/ox`
 */
export async function packIn(outDir: string): Promise<Set<string>> {
  const folders = new Set<string>()
  try {
    for (const module of MODULES) {
      const file = join(outDir, `${module}.js`)
      const { outputFiles, metafile } = await build({
        absWorkingDir: ROOT,
        entryPoints: [`${module}.ts`],
        bundle: true,
        write: false,
        platform: 'node',
        format: 'esm',
        target: 'node22',
        minifyWhitespace: true,
        legalComments: 'none',
        logLevel: 'silent',
        metafile: true,
        plugins: [installedStaysOutside],
        banner: { js: BANNER },
      })
      writeFileSync(file, outputFiles[0]!.contents)
      for (const input of Object.keys(metafile.inputs)) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []
        if (folder) folders.add(folder)
      }
    }
    return folders
  } finally {
    await stop()
  }
}

/** Marks what is asked of esbuild itself. */
const ASKED = Symbol('asked')

/** Our own modules stay where they are, too: one of them must not be there twice. */
const installedStaysOutside: Plugin = {
  name: 'installed-stays-outside',
  setup({ onResolve, resolve }) {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    const installed = Object.keys({ ...dependencies, ...peerDependencies })
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === ASKED) return undefined
      if (path.startsWith('node:') || builtinModules.includes(path)) return { path, external: true }
      const isOurs = !importer.includes('node_modules') && /^[.#]/.test(path)
      if (isOurs) return { path: path.replace(/\.ts$/, '.js'), external: true }
      const name = installed.find((each) => path === each || path.startsWith(`${each}/`))
      if (!name) return undefined
      // Another version of it than the one that is installed, below the package that wants it, is packed in.
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: ASKED })
      const isInstalled = found.path.startsWith(join(ROOT, 'node_modules', name, '/'))
      return isInstalled ? { path, external: true } : undefined
    })
  },
}
