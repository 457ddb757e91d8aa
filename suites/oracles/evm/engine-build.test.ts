import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENGINE_WASM } from '#protocol/evm/engine-wasm'
import { lane } from '#suites/lane'
import { assemblyTables } from './assembly-tables.ts'
import { buildEngine } from './build-engine.ts'

const GENERATED = join(import.meta.dirname, '../../../enclave-sim/protocol/evm/assembly/generated')

test.each(Object.entries(assemblyTables()))(
  'given the generated source %s, then `npm run engine` would write the same',
  (name, text) => expect(readFileSync(join(GENERATED, name), 'utf8')).toBe(text),
)

const compiles = test.skipIf(!lane('engine').isInstalled)

compiles(
  'given the sources, then they compile to the WASM that is shipped, byte for byte',
  {
    timeout: 240_000,
  },
  async () => {
    const wasm = await buildEngine()
    expect(Buffer.from(wasm).toString('base64') === ENGINE_WASM).toBe(true)
  },
)
