import { readFileSync } from 'node:fs'
import solc from 'solc'
import { type Hex, parseAbi } from 'viem'

const SOURCE = new URL('./Pool.sol', import.meta.url)

export const poolAbi = parseAbi([
  'constructor(address first, address second)',
  'function swap(uint256 paid) returns (uint256)',
])

/** Creation code of the contract `Pool`, without its arguments. */
export function poolBytecode(): Hex {
  const input = {
    language: 'Solidity',
    sources: { Pool: { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'prague',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  return `0x${output.contracts.Pool.Pool.evm.bytecode.object}`
}
