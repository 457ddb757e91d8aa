import { extname, join } from 'node:path'
import { build, type Plugin, stop } from 'esbuild'
import { imageFiles } from './image-files.ts'

const enclaveRoom = join(import.meta.dirname, '..')

/**
 * The package looks for its addon in node_modules and falls back to slow JavaScript. In an image it
 * is the measured file beside the program, or nothing.
 */
const measuredAddon: Plugin = {
  name: 'measured-secp256k1',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]secp256k1[\\/]index\.js$/ }, () => ({
      contents: `module.exports = require('./lib')(new (require('./${imageFiles.secp256k1}')).Secp256k1())`,
    }))
    onResolve({ filter: /secp256k1\.node$/ }, ({ path }) => ({ path, external: true }))
  },
}

/** Likewise; a simulated enclave's image is without, and never asks for it. */
const measuredKoffi: Plugin = {
  name: 'measured-koffi',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^koffi$/ }, ({ path }) => ({ path, namespace: 'koffi' }))
    onLoad({ filter: /.*/, namespace: 'koffi' }, () => ({
      contents: `module.exports = require('./${imageFiles.koffi}')`,
    }))
    onResolve({ filter: /koffi\.node$/ }, ({ path }) => ({ path, external: true }))
  },
}

/**
 * The enclave as one ES module. Reproducible: the same sources give the same bytes wherever they
 * lie: minified output has no path in it.
 */
export async function bundleProgram(): Promise<Uint8Array> {
  try {
    const { outputFiles } = await build({
      absWorkingDir: enclaveRoom,
      entryPoints: [`main${extname(import.meta.filename)}`],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [measuredAddon, measuredKoffi],
      // CommonJS packages inside an ES module need a require; it also finds the addon.
      banner: {
        js: "import{createRequire as _createRequire}from'node:module';const require=_createRequire(import.meta.url);",
      },
    })
    return outputFiles[0]!.contents
  } finally {
    await stop()
  }
}
