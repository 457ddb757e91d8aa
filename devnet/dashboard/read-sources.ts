import { glob, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import type { CodeSource, MappedInstruction } from './code-source.ts'
import { type CompiledCode, isCodeOf } from './is-code-of.ts'
import { type SourceRange, sourceRange, sourceRanges } from './source-range.ts'

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

  /**
   * Every instruction of a code with its statement, and the sources of them.
   * @param code of the deployed contract, or, where `isCreation`, what made it, with what it was given
   */
  async sourceOf(code: Hex, isCreation: boolean): Promise<CodeSource | undefined> {
    const contract = isCreation ? this.#contractMadeBy(code) : this.#contractOf(code)
    if (!contract) return undefined
    const { creation, deployedMap, name, paths } = contract
    const [map, bytes] = isCreation ? [creation.map, creation.code] : [deployedMap, code]
    const ranges = sourceRanges(map, hexToBytes(bytes))
    const files: Record<number, { path: string; text: string }> = {}
    for (const file of new Set([...ranges.values()].map((range) => range.file))) {
      const path = paths.get(file)
      const text = path && (await contract.sourceOf(path))
      if (text) files[file] = { path, text }
    }
    return { contract: name, files, instructions: mapped(ranges, files) }
  }

  #contractOf(code: Hex): CompiledContract | undefined {
    return this.#contracts.find((contract) => isCodeOf(contract, code))
  }

  #contractMadeBy(code: Hex): CompiledContract | undefined {
    return this.#contracts.find(
      ({ creation }) => creation.code !== '0x' && code.startsWith(creation.code),
    )
  }
}

/** None where it is a whole function or contract. */
function lineAt(source: string, range: SourceRange): Pick<SourceLine, 'line' | 'text'> | undefined {
  const lines = statementAt(lineStarts(source), range)
  return lines && { line: lines.line, text: source.split('\n')[lines.line - 1]!.trim() }
}

function mapped(
  ranges: ReadonlyMap<number, SourceRange>,
  files: CodeSource['files'],
): MappedInstruction[] {
  const starts = new Map(
    Object.entries(files).map(([file, { text }]) => [Number(file), lineStarts(text)]),
  )
  return [...ranges].map(([pc, range]) => {
    const { file, jump } = range
    const lines = starts.has(file) ? statementAt(starts.get(file)!, range) : undefined
    return { pc, jump, file, ...(lines ?? { line: 0, lastLine: 0 }) }
  })
}

/** The bytes at which lines begin. */
function lineStarts(source: string): number[] {
  const starts = [0]
  const bytes = Buffer.from(source)
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return starts
}

/** Undefined where it is a whole function or contract. */
function statementAt(
  starts: readonly number[],
  { start, length }: SourceRange,
): Pick<MappedInstruction, 'line' | 'lastLine'> | undefined {
  const line = lineOfByte(starts, start)
  const lastLine = lineOfByte(starts, start + length)
  return lastLine - line < MOST_LINES ? { line, lastLine } : undefined
}

function lineOfByte(starts: readonly number[], byte: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= byte) low = middle
    else high = middle
  }
  return low + 1
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
  return `0x${found?.[1]?.toLowerCase() ?? ''}`
}

function parsed(text: string): Json | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}
