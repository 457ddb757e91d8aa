import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lane } from '#suites/lane'
import { assemblyTables } from './assembly-tables.ts'
import { buildWasm, WASM_MODULES, wasmModule } from './build-engine.ts'

const GENERATED = join(import.meta.dirname, '../../../enclave-sim/protocol/evm/assembly/generated')

test.each(Object.entries(assemblyTables()))(
  'given the generated source %s, then `npm run engine` would write the same',
  (name, text) => expect(readFileSync(join(GENERATED, name), 'utf8')).toBe(text),
)

const compiles = test.skipIf(!lane('engine').isInstalled)

compiles.each(Object.keys(WASM_MODULES) as (keyof typeof WASM_MODULES)[])(
  'given the sources, then they compile to the %s that is shipped, byte for byte',
  { timeout: 240_000 },
  async (name) => {
    const shipped = readFileSync(WASM_MODULES[name].file, 'utf8')
    expect(wasmModule(name, await buildWasm(name)) === shipped).toBe(true)
  },
)
