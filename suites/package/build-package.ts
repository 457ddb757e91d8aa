import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { billOfMaterials } from './bill-of-materials.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const ASSETS = '{devnet,fixtures,mocks,reports,suites/conformance}/**/*.{json,yaml,html,css,js}'
/** To start from, so with their types. */
const EXAMPLES = 'devnet/docs/own-*.ts'

/**
 * `npm run build`: the published package runs as JavaScript, because Node does not strip types below
 * node_modules. A checkout needs no build.
 *
 * @param outDir emptied first
 */
export async function buildPackage(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(tsc, ['-p', 'tsconfig.build.json', '--outDir', outDir], { cwd: ROOT })
  for (const asset of ['package.json', ...globSync([ASSETS, EXAMPLES], { cwd: ROOT })]) {
    mkdirSync(join(outDir, dirname(asset)), { recursive: true })
    cpSync(join(ROOT, asset), join(outDir, asset))
  }
  writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(ROOT))
  writeFileSync(join(outDir, 'sbom.cdx.json'), billOfMaterials(ROOT))
}

if (import.meta.main) await buildPackage(join(ROOT, 'dist'))
