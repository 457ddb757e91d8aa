import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const PROTOCOL = join(import.meta.dirname, '../../../enclave-sim/protocol')

let digest: string | undefined

/**
 * What of ours a body of evidence was run on: the first 12 hex digits of the SHA-256 of all that the
 * executor and the transaction codec are made of, the engine's WASM included. Comments, types and
 * formatting do not count; nor do libraries, whose versions package-lock.json has.
 */
export function executorDigest(): string {
  if (digest) return digest
  const { outputFiles } = buildSync({
    stdin: {
      contents: `export * from './execution/create-executor.ts'
export * from './transaction/decode-transaction.ts'`,
      resolveDir: PROTOCOL,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  digest = createHash('sha256').update(outputFiles[0]!.contents).digest('hex').slice(0, 12)
  return digest
}
