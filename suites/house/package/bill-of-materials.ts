import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  version: string
  integrity?: string
  license?: string
  dev?: boolean
}

/**
 * What a release is made of, as CycloneDX 1.5: each package of the lock file that is not for development
 * alone, with its hash. Not `npm sbom --omit=dev`, which leaves out what development needs as well.
 *
 * @param root of the checkout
 * @param packedIn folders of packages that are in the built files and not installed
 */
export function billOfMaterials(root: string, packedIn: ReadonlySet<string>): string {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { name, version } = read('package.json')
  const lock: { packages: Record<string, LockedPackage> } = read('package-lock.json')
  const components = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && (!dev || packedIn.has(path)))
    .map(([path, locked]) => component(path, locked))
  const subject = { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` }
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 }
  return `${JSON.stringify({ ...bill, metadata: { component: subject }, components }, null, 2)}\n`
}

function component(path: string, { version, license, integrity }: LockedPackage) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    ...{ type: 'library', 'bom-ref': path, name, version, purl },
    ...(license && { licenses: [{ expression: license }] }),
    ...(integrity && { hashes: [{ alg: 'SHA-512', content: sha512Of(integrity) }] }),
  }
}

/** npm writes a hash as `sha512-BASE64`. */
function sha512Of(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
}
