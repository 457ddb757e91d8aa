import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { lane } from '#suites/lane'
import { assemblyTables } from './assembly-tables.ts'

const PROTOCOL = join(import.meta.dirname, '..', '..', '..', 'enclave-sim', 'protocol')
const ENGINE = join(PROTOCOL, 'evm')
const SIMULATE = join(import.meta.dirname, '../../../devnet/l2/node/rpc/simulate')

/** What we use of `assemblyscript/asc`. */
interface Compiler {
  default: {
    main(
      options: string[],
      api: {
        readFile(name: string): string | null
        writeFile(name: string, contents: Uint8Array | string): void
        listFiles(): string[]
      },
    ): Promise<{ error: Error | null; stderr: { toString(): string } }>
  }
}

/** The modules that `npm run engine` makes: by name of the constant, where it goes and what it is made of. */
export const WASM_MODULES = {
  ENGINE_WASM: {
    source: 'index.ts',
    file: join(ENGINE, 'engine-wasm.ts'),
    what: "The engine's WASM",
  },
  KECCAK_WASM: {
    source: 'keccak.ts',
    file: join(PROTOCOL, 'crypto', 'keccak-wasm.ts'),
    what: "The WASM of the engine's Keccak alone",
  },
  WRITER_WASM: {
    source: 'written/index.ts',
    file: join(SIMULATE, 'writer-wasm.ts'),
    what: 'The WASM of the writer of simulated blocks',
  },
} as const
type WasmName = keyof typeof WASM_MODULES

/** Compiles one of them from its AssemblyScript sources; the same sources give the same bytes. */
export async function buildWasm(name: WasmName): Promise<Uint8Array> {
  const { default: asc } = await lane('engine').load<Compiler>('assemblyscript/dist/asc.js')
  let wasm: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [
      ...[WASM_MODULES[name].source, '--outFile', 'out.wasm', '--runtime', 'stub'],
      ...['--use', 'abort='],
      ...['--enable', 'simd,bulk-memory', '-O3', '--noAssert'],
    ],
    {
      readFile(name) {
        try {
          return readFileSync(join(ENGINE, 'assembly', name), 'utf8')
        } catch {
          // The compiler asks for every place where a file may be.
          return null
        }
      },
      writeFile(_, contents) {
        wasm = contents as Uint8Array
      },
      listFiles: () => [],
    },
  )
  if (error || !wasm) throw new Error(`${name} does not compile:\n${stderr}`, { cause: error })
  return wasm
}

/** The source that carries a WASM into every bundle. */
export function wasmModule(name: WasmName, wasm: Uint8Array): string {
  const { file, what } = WASM_MODULES[name]
  const sources = relative(dirname(file), join(ENGINE, 'assembly'))
  const lines = Buffer.from(wasm)
    .toString('base64')
    .match(/.{1,96}/g)!
  return `// Made by \`npm run engine\` from the sources in ${sources}/.

/** ${what}, in base64. */
export const ${name} =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
}

/** `npm run engine`: writes the generated sources, and each WASM in its module. */
async function writeEngine(): Promise<void> {
  for (const [name, text] of Object.entries(assemblyTables())) {
    writeFileSync(join(ENGINE, 'assembly', 'generated', name), text)
  }
  for (const name of Object.keys(WASM_MODULES) as WasmName[]) {
    writeFileSync(WASM_MODULES[name].file, wasmModule(name, await buildWasm(name)))
  }
}

if (import.meta.main) await writeEngine()
