import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
}

/**
 * The licence of each package that rollbed runs on, with its text where the package has one. esbuild
 * puts some of them into the enclave image and into `rollbed up`: their licences (MPL-2.0 among them) ask that users are told.
 *
 * @param root of the checkout, with its packages installed
 * @param packedIn folders of packages that are in the built files and not installed
 */
export function thirdPartyNotices(root: string, packedIn: ReadonlySet<string>): string {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const notices = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && (!dev || packedIn.has(path)))
    // Packages of other platforms are not here, and not run here.
    .filter(([path]) => existsSync(join(root, path)))
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const title = `${name} ${version} (${license ?? licenseOf(join(root, path))})`
      return [title, '='.repeat(title.length), '', ...licenseTexts(join(root, path))].join('\n')
    })
  const head =
    'rollbed runs on the packages below; some are bundled into the enclave image, into rollbed up or into single modules. The source of each is\nat https://www.npmjs.com/package/NAME.'
  return `${head}\n\n${notices.join('\n\n')}\n`
}

function licenseOf(folder: string): string {
  const { license = 'no licence stated' } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return String(license)
}

function licenseTexts(folder: string): string[] {
  return globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: folder })
    .filter((name) => !/\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trimEnd())
}
