import { glob, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Abi } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hex } from '#protocol/types/bytes'
import type { CompiledCode } from './is-code-of.ts'
import { readStorageLayout, type StorageLayout } from './storage-layout.ts'

/** What the page needs of a compiled contract. */
export interface Artifact extends CompiledCode {
  name: string
  abi: Abi
  /** Where the compiler was asked for it. */
  storage?: StorageLayout | undefined
}

const MAX_FILES = 5_000
/** Bytes of one file, and of all. */
const MAX_FILE = 8 * 1024 * 1024
const MAX_TOTAL = 128 * 1024 * 1024

/**
 * The contracts that Foundry (`out`) or Hardhat (`artifacts`) left in a folder.
 *
 * @throws RollbedError ARTIFACTS_MISSING when there is no such folder; files that are no artifact are
 *   passed over
 */
export async function readArtifacts(folder: string): Promise<Artifact[]> {
  const root = await stat(folder).catch(() => undefined)
  if (!root?.isDirectory()) {
    throw new RollbedError('ARTIFACTS_MISSING', `There is no folder ${folder}.`, {
      hint: "Give the folder that 'forge build' (out) or 'hardhat build' (artifacts) writes.",
    })
  }
  const found: Artifact[] = []
  let files = 0
  let total = 0
  for await (const path of glob('**/*.json', { cwd: folder, exclude: isNoArtifact })) {
    // A compiler that runs meanwhile takes files away, and a link may lead nowhere.
    const about = await stat(join(folder, path)).catch(() => undefined)
    if (!about || about.size > MAX_FILE) continue
    files += 1
    total += about.size
    if (files > MAX_FILES || total > MAX_TOTAL) break
    const text = await readFile(join(folder, path), 'utf8').catch(() => '')
    const artifact = readArtifact(path, text)
    if (artifact) found.push(artifact)
  }
  return found
}

const isNoArtifact = (path: string) => /(^|\/)build-info(\/|$)|\.dbg\.json$/.test(path)

function readArtifact(path: string, text: string): Artifact | undefined {
  let json: Record<string, unknown>
  try {
    json = Object(JSON.parse(text))
  } catch {
    return undefined
  }
  if (!Array.isArray(json.abi)) return undefined
  // Foundry keeps an object of both, Hardhat a field each.
  const code = Object(json.deployedBytecode) as Record<string, unknown>
  const references = Object(code.immutableReferences ?? json.immutableReferences)
  return {
    name: String(json.contractName ?? basename(path, '.json')),
    abi: json.abi as Abi,
    deployedBytecode: bytesOf(code.object ?? json.deployedBytecode),
    immutables: Object.values(references).flat() as Artifact['immutables'],
    storage: readStorageLayout(json.storageLayout),
  }
}

const bytesOf = (code: unknown): Hex =>
  // Code that waits for a library has names in it.
  typeof code === 'string' && /^0x([0-9a-f]{2})*$/i.test(code) ? (code as Hex) : '0x'
