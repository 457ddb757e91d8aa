import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lane } from '#suites/lane'
import { assemblyTables } from './assembly-tables.ts'

const ENGINE = join(import.meta.dirname, '..', '..', '..', 'enclave-sim', 'protocol', 'evm')

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

/** Compiles the engine from its AssemblyScript sources; the same sources give the same bytes. */
export async function buildEngine(): Promise<Uint8Array> {
  const { default: asc } = await lane('engine').load<Compiler>('assemblyscript/dist/asc.js')
  let wasm: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [
      ...['index.ts', '--outFile', 'engine.wasm', '--runtime', 'stub', '--use', 'abort='],
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
  if (error || !wasm) throw new Error(`The engine does not compile:\n${stderr}`, { cause: error })
  return wasm
}

/** The module that carries the WASM into every bundle. */
export function engineModule(wasm: Uint8Array): string {
  const lines = Buffer.from(wasm)
    .toString('base64')
    .match(/.{1,96}/g)!
  return `// Made by \`npm run engine\` from the sources in assembly/.

/** The engine's WASM, in base64. */
export const ENGINE_WASM =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
}

/** `npm run engine`: writes the generated sources, the WASM and its module. */
async function writeEngine(): Promise<void> {
  for (const [name, text] of Object.entries(assemblyTables())) {
    writeFileSync(join(ENGINE, 'assembly', 'generated', name), text)
  }
  writeFileSync(join(ENGINE, 'engine-wasm.ts'), engineModule(await buildEngine()))
}

if (import.meta.main) await writeEngine()
