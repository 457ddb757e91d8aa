import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export interface CompiledVault {
  abi: Abi
  bytecode: Hex
}

interface Output {
  contracts: Record<string, Record<string, Compiled>>
  sources: Record<string, { id: number }>
}
interface Code {
  object: string
  sourceMap: string
  immutableReferences?: object
}
interface Compiled {
  abi: Abi
  evm: { bytecode: Code; deployedBytecode: Code }
}

const CONTRACTS = join(import.meta.dirname, 'contracts')
const PATHS = ['CountingVault', 'SoundVault'].map((name) => `contracts/${name}.sol`)

/** The line of a source that has these words. */
export function lineWith(path: string, words: string): number {
  const lines = readFileSync(join(import.meta.dirname, path), 'utf8').split('\n')
  return lines.findIndex((line) => line.includes(words)) + 1
}

/**
 * The sample vaults, compiled, with folders as Hardhat and as Foundry leave them.
 * @param folder to write to
 */
export function compileVaults(
  folder: string,
  optimizer: { enabled: boolean; viaIR: boolean },
): Record<'CountingVault' | 'SoundVault', CompiledVault> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      PATHS.map((path) => [
        path,
        { content: readFileSync(join(import.meta.dirname, path), 'utf8') },
      ]),
    ),
    settings: {
      evmVersion: 'prague',
      viaIR: optimizer.viaIR,
      optimizer: { enabled: optimizer.enabled },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  write(folder, 'artifacts/build-info/solc-1.json', { input })
  write(folder, 'artifacts/build-info/solc-1.output.json', { output })
  cpSync(CONTRACTS, join(folder, 'contracts'), { recursive: true })
  const vaults = PATHS.map((path) => {
    const [[name, { abi, evm }]] = Object.entries(output.contracts[path]!) as [[string, Compiled]]
    write(folder, `out/${name}.sol/${name}.json`, {
      abi,
      bytecode: hexed(evm.bytecode),
      deployedBytecode: hexed(evm.deployedBytecode),
      metadata: { settings: { compilationTarget: { [path]: name } } },
      id: output.sources[path]!.id,
    })
    return [name, { abi, bytecode: `0x${evm.bytecode.object}` }]
  })
  return Object.fromEntries(vaults)
}

const hexed = (code: Code) => ({ ...code, object: `0x${code.object}` })

function write(folder: string, path: string, json: object): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify(json))
}
