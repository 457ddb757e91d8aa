import { glob, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { type CompiledCode, isCodeOf } from './is-code-of.ts'
import { type SourceRange, sourceRange } from './source-range.ts'

/** A line of a contract's source. */
export interface SourceLine {
  contract: string
  /** As the compiler was given it. */
  path: string
  /** From 1. */
  line: number
  /** Without the space around it. */
  text: string
}

interface CompiledContract extends CompiledCode {
  name: string
  deployedMap: string
  creation: { code: Hex; map: string }
  /** The path of a source, by the compiler's number. */
  paths: ReadonlyMap<number, string>
  sourceOf(path: string): Promise<string | undefined>
}

/** Lines of one statement at most. */
const MOST_LINES = 5
/** Bytes of one file, and of all. */
const MAX_FILE = 64 * 1024 * 1024
const MAX_TOTAL = 256 * 1024 * 1024

/** Contracts whose compiler left a source map, and their sources. */
export class Sources {
  readonly #contracts: readonly CompiledContract[]

  constructor(contracts: readonly CompiledContract[]) {
    this.#contracts = contracts
  }

  /** The name of the contract that has this code. */
  nameOf(code: Hex): string | undefined {
    return this.#contractOf(code)?.name
  }

  /**
   * The line that an instruction comes from.
   * @param code of the deployed contract
   * @param places of the instruction, and of others that say the same less exactly, for where it is the
   * compiler's own; in the code that makes the contract, where `isCreation`
   */
  async lineOf(
    code: Hex,
    places: readonly number[],
    isCreation: boolean,
  ): Promise<SourceLine | undefined> {
    const contract = this.#contractOf(code)
    if (!contract) return undefined
    const { creation, deployedMap, paths, name } = contract
    const [map, bytes] = isCreation ? [creation.map, creation.code] : [deployedMap, code]
    for (const pc of places) {
      const range = sourceRange(map, hexToBytes(bytes), pc)
      const path = range && paths.get(range.file)
      const source = path && (await contract.sourceOf(path))
      const found = source && lineAt(source, range)
      if (found) return { contract: name, path, ...found }
    }
    return undefined
  }

  #contractOf(code: Hex): CompiledContract | undefined {
    return this.#contracts.find((contract) => isCodeOf(contract, code))
  }
}

/** None where it is a whole function or contract. */
function lineAt(
  source: string,
  { start, length }: SourceRange,
): Pick<SourceLine, 'line' | 'text'> | undefined {
  const bytes = Buffer.from(source)
  const lines = bytes
    .subarray(start, start + length)
    .toString()
    .split('\n').length
  if (lines > MOST_LINES) return undefined
  const line = bytes.subarray(0, start).toString().split('\n').length
  return { line, text: source.split('\n')[line - 1]!.trim() }
}

type Json = Record<string, unknown>

/**
 * The source maps that Foundry (`out`) or Hardhat (`artifacts`, with `build-info`) left in a folder. What
 * is no artifact is passed over. Foundry's sources are read from the folder around.
 */
export async function readSources(folder: string): Promise<Sources> {
  const root = dirname(resolve(folder))
  const files = new Map<string, Json>()
  let total = 0
  for await (const path of glob('**/*.json', { cwd: folder })) {
    const { size } = await stat(join(folder, path))
    total += size
    if (size > MAX_FILE || total > MAX_TOTAL) continue
    const json = parsed(await readFile(join(folder, path), 'utf8'))
    if (json) files.set(path, json)
  }
  const outputs = [...files].flatMap(([path, json]) =>
    contractsOfOutput(json, inputOf(path, files)),
  )
  return new Sources([...outputs, ...foundryContracts(files, root)])
}

/** Hardhat 3 keeps what went into the compiler in a file of its own. */
function inputOf(path: string, files: ReadonlyMap<string, Json>): Json {
  const { input } = files.get(path)!
  return Object(input ?? files.get(path.replace(/\.output\.json$/, '.json'))?.input)
}

function contractsOfOutput({ output }: Json, { sources: given }: Json): CompiledContract[] {
  const { contracts, sources } = Object(output) as Json
  const paths = new Map(
    Object.entries(Object(sources)).map(([path, about]) => [Number((about as Json).id), path]),
  )
  const sourceOf = async (path: string) => {
    const { content } = Object(Object(given)[path]) as Json
    return typeof content === 'string' ? content : undefined
  }
  return Object.values(Object(contracts)).flatMap((of) =>
    Object.entries(Object(of)).flatMap(([name, about]) => {
      const { bytecode, deployedBytecode } = Object((about as Json).evm) as Json
      return compiledContract(name, Object(bytecode), Object(deployedBytecode), { paths, sourceOf })
    }),
  )
}

/** Each of Foundry's artifacts knows the number of its own source alone. */
function foundryContracts(files: ReadonlyMap<string, Json>, root: string): CompiledContract[] {
  const targets = [...files].flatMap(([file, json]) => {
    const [path] = Object.keys(Object(Object(Object(json.metadata).settings).compilationTarget))
    return path && typeof json.id === 'number' ? [{ file, json, id: json.id, path }] : []
  })
  const paths = new Map(targets.map(({ id, path }) => [id, path]))
  const sourceOf = (path: string) => readFile(join(root, path), 'utf8').catch(() => undefined)
  return targets.flatMap(({ file, json }) =>
    compiledContract(
      basename(file, '.json'),
      Object(json.bytecode),
      Object(json.deployedBytecode),
      {
        paths,
        sourceOf,
      },
    ),
  )
}

function compiledContract(
  name: string,
  creation: Json,
  deployed: Json,
  sources: Pick<CompiledContract, 'paths' | 'sourceOf'>,
): CompiledContract[] {
  const code = bytesOf(deployed.object)
  if (code === '0x' || typeof deployed.sourceMap !== 'string') return []
  const immutables = Object.values(Object(deployed.immutableReferences)).flat()
  return [
    {
      name,
      deployedBytecode: code,
      immutables: immutables as CompiledCode['immutables'],
      deployedMap: deployed.sourceMap,
      creation: { code: bytesOf(creation.object), map: String(creation.sourceMap ?? '') },
      ...sources,
    },
  ]
}

/** Code that waits for a library has names in it; Hardhat leaves out the 0x. */
function bytesOf(code: unknown): Hex {
  const found = /^(?:0x)?((?:[0-9a-f]{2})*)$/i.exec(typeof code === 'string' ? code : '')
  return `0x${found?.[1] ?? ''}`
}

function parsed(text: string): Json | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}
