import { readFileSync } from 'node:fs'
import solc from 'solc'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  toHex,
} from 'viem'

const SOURCE = new URL('./Workload.sol', import.meta.url)

const abi = ['fill', 'loop', 'hash', 'load', 'nest'].map((name) => ({
  type: 'function',
  name,
  stateMutability: 'nonpayable',
  inputs: Array.from({ length: name === 'fill' ? 2 : 1 }, () => ({ type: 'uint256' })),
  outputs: [],
}))

/** Call data of one function of the contract `Workload`. */
export const workloadCall = (functionName: string, ...args: bigint[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** Its creation code. */
export function workloadCreation(): Hex {
  const input = {
    language: 'Solidity',
    sources: { Workload: { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'prague',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  return `0x${output.contracts.Workload.Workload.evm.bytecode.object}`
}

/** What `loop` returns, computed without an EVM. */
export function loopResult(n: number): Hex {
  let r = 1n
  for (let i = 0n; i < BigInt(n); i++) r = BigInt.asUintN(256, r * 31n + i) ^ (r >> 3n)
  return toHex(r, { size: 32 })
}

/** What `hash` returns, computed without an EVM. */
export function hashResult(n: number): Hex {
  let r: Hex = toHex(0, { size: 32 })
  for (let i = 0n; i < BigInt(n); i++) {
    r = keccak256(concatHex([r, encodeAbiParameters([{ type: 'uint256' }], [i])]))
  }
  return r
}

/** What `load` and `nest` return after `fill(0, n)` or more. */
export function sumResult(n: number): Hex {
  return toHex((n * (n + 1)) / 2, { size: 32 })
}
