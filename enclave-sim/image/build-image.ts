import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { cachedProgram } from './cached-program.ts'
import { encodeChainTable } from './chain-table.ts'
import { imageFiles } from './image-files.ts'
import { type Measurement, measureImage } from './measure-image.ts'
import { koffiAddon, secp256k1Addon } from './native-addons.ts'

export interface BuildImageOptions {
  /** Directory to fill; made when missing, and expected to be empty. */
  outDir: string
  /** The chains the enclave will prove. They are measured with the code. */
  chains: Iterable<RollupConfig>
  /** Tells apart images that are otherwise equal, such as the old and the new one of a rotation. */
  label?: string
  /**
   * How the enclave is reached: by the UNIX socket beside its image, or, where there is none, in a
   * virtual machine, by AF_VSOCK. What that takes is measured. @default 'hybrid'
   */
  transport?: 'hybrid' | 'vsock'
  /**
   * For development and tests: without a security module, its image hash all zeros (JRN-19). Decided
   * here and never at boot (JRN-20). @default false
   */
  local?: boolean
}

/**
 * Builds an enclave image: the bundled program, its native addon and its chain table.
 * @returns the directory with its measurement
 */
export async function buildImage(
  options: BuildImageOptions,
): Promise<Measurement & { dir: string }> {
  const { outDir, chains, label, transport = 'hybrid', local = false } = options
  const file = (name: string) => join(outDir, name)
  await mkdir(outDir, { recursive: true })
  await Promise.all([
    cachedProgram().then((program) => writeFile(file(imageFiles.program), program)),
    copyFile(secp256k1Addon(), file(imageFiles.secp256k1)),
    ...(transport === 'vsock' ? [copyFile(koffiAddon(), file(imageFiles.koffi))] : []),
    writeFile(file(imageFiles.chains), encodeChainTable(chains)),
    ...(local ? [writeFile(file(imageFiles.local), '')] : []),
    ...(label === undefined ? [] : [writeFile(file(imageFiles.label), label)]),
  ])
  return { dir: outDir, ...measureImage(outDir) }
}
