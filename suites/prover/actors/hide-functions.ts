import {
  type AbiFunction,
  concatHex,
  type Hex,
  keccak256,
  numberToHex,
  size,
  toFunctionSelector,
} from 'viem'
import type { ProofStack } from '../contracts/proof-stack.ts'

/**
 * Puts a simpler contract in the place of a real one: it reverts without data on the functions that
 * are hidden, and passes everything else on.
 */
export async function hideFunctions(
  { client }: ProofStack,
  { address, abi, hidden }: { address: Hex; abi: readonly unknown[]; hidden: readonly string[] },
): Promise<void> {
  const setCode = (at: Hex, code: Hex) =>
    client.request({ method: 'anvil_setCode', params: [at, code] } as never)
  const behind: Hex = `0x${keccak256(address).slice(-40)}`
  await setCode(behind, (await client.getCode({ address }))!)
  const functions = abi.filter((item) => (item as AbiFunction).type === 'function') as AbiFunction[]
  const selectors = functions
    .filter(({ name }) => hidden.includes(name))
    .map((item) => toFunctionSelector(item))
  if (selectors.length !== hidden.length) throw new Error('a hidden function is not in the ABI')
  await setCode(address, gate(selectors, behind))
}

/** Compares the selector, then reverts or delegates. */
function gate(selectors: Hex[], behind: Hex): Hex {
  const load = '0x5f3560e01c' as const
  // dup1 push4 eq push1 jumpi
  const entry = 10
  const passAt = size(load) + entry * selectors.length
  // calldatacopy, delegatecall, returndatacopy, jumpi, revert, return
  const head = concatHex(['0x365f5f375f5f365f73', behind, '0x5af43d5f5f3e60'])
  const okAt = passAt + size(head) + 5
  const stopAt = okAt + 4
  const compare = selectors.map((selector) =>
    concatHex(['0x8063', selector, '0x1460', numberToHex(stopAt, { size: 1 }), '0x57']),
  )
  return concatHex([
    load,
    ...compare,
    head,
    numberToHex(okAt, { size: 1 }),
    '0x573d5ffd',
    '0x5b3d5ff3',
    '0x5b5f5ffd',
  ])
}
