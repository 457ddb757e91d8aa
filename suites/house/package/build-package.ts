import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { bundleUp } from '#devnet/cli/up-program/bundle-up'
import { buildPage } from '#devnet/dashboard/page-files'
import { bundleProgram } from '#enclave/image/bundle-program'
import { billOfMaterials } from './bill-of-materials.ts'
import { packIn } from './pack-in.ts'
import { packZod } from './pack-zod.ts'
import { pruneDeclarations } from './prune-declarations.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ASSETS =
  '{devnet,fixtures,mocks,reports,suites/gate/conformance}/**/*.{json,yaml,html,css,js}'
/** Bundled. */
const PAGE = 'devnet/dashboard/page/**'

/**
 * `npm run build`: the published package runs as JavaScript, because Node does not strip types below
 * node_modules. A checkout needs no build.
 *
 * @param outDir emptied first
 */
export async function buildPackage(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  // Whether the types are right is another step's of `npm test`: without it, it takes a third of the CPU.
  const args = ['-p', 'tsconfig.build.json', '--noCheck', '--singleThreaded', '--outDir', outDir]
  await promisify(execFile)(tsc, args, { cwd: ROOT })
  for (const asset of globSync(ASSETS, { cwd: ROOT, exclude: [PAGE] })) {
    mkdirSync(join(outDir, dirname(asset)), { recursive: true })
    cpSync(join(ROOT, asset), join(outDir, asset))
  }
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
  const { name, version, type } = manifest
  const imports: Record<string, string | object> = builtPlaces(manifest.imports)
  pruneDeclarations(outDir, declaredEntries(manifest))
  const packedIn = await packIn(outDir)
  Object.assign(imports, await packZod(outDir))
  packedIn.add('node_modules/zod')
  // What dist/ asks of itself: its version, and where its rooms lie.
  writeFileSync(join(outDir, 'package.json'), JSON.stringify({ name, version, type, imports }))
  // With it an installed package needs no bundler.
  const program = join(outDir, 'enclave-sim', 'image', 'enclave-program.mjs')
  writeFileSync(program, await bundleProgram())
  const upProgram = join(outDir, 'devnet', 'cli', 'up-program')
  await bundleUp({ outDir: upProgram, modulesDir: outDir, extension: '.js' })
  await buildPage(join(outDir, 'devnet', 'dashboard', 'page'))
  writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(ROOT, packedIn))
  writeFileSync(join(outDir, 'sbom.cdx.json'), billOfMaterials(ROOT, packedIn))
}

interface Manifest {
  name: string
  version: string
  type: string
  /** The rooms by their short names, as sources. */
  imports: Record<string, string>
  /** The manifest exports itself, too, which has no types. */
  exports: Record<string, string | { types: string }>
}

/** `./x/*.ts` is `./x/*.js` once it is built. */
function builtPlaces(imports: Manifest['imports']): Manifest['imports'] {
  return Object.fromEntries(
    Object.entries(imports).map(([name, place]) => [name, place.replace(/\.ts$/, '.js')]),
  )
}

function declaredEntries({ exports }: Manifest): string[] {
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types.replace('./dist/', '')],
  )
}

if (import.meta.main) await buildPackage(join(ROOT, 'dist'))
