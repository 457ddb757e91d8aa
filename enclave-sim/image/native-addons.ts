import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { imageFiles } from './image-files.ts'

const require = createRequire(import.meta.url)

/** Where the native addon of this platform lies. @throws when there is none */
export function secp256k1Addon(): string {
  const packageFile = require.resolve('secp256k1/package.json')
  const { path } = createRequire(packageFile)('node-gyp-build') as { path(dir: string): string }
  return path(dirname(packageFile))
}

/** As above, of koffi for glibc. */
export function koffiAddon(): string {
  const platform = `linux-${process.arch}`
  const fromKoffi = createRequire(require.resolve('koffi'))
  const directory = dirname(fromKoffi.resolve(`@koromix/koffi-${platform}`))
  return join(directory, platform.replace('-', '_'), imageFiles.koffi)
}
