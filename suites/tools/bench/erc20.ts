import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  toHex,
} from 'viem'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'
import type { Alloc } from '#protocol/types/account'
import { signTransaction } from '#suites/oracles/differential/sign'

const GAS = 100_000n

export const balanceOf = (owner: Address): Hex =>
  encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })

export const transferData = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [to, amount] })

/** Creation code of the token; the creator gets all of it. */
export function tokenCreation(): Hex {
  const supply = encodeAbiParameters(
    [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }],
    ['Bench', 'BENCH', 10n ** 30n],
  )
  return `${loadContract('TestToken').bytecode}${supply.slice(2) as Hex}`
}

/** The token at an address, and ten users who have plenty of it and of ether. */
export function tokenAlloc(token: Address): Alloc {
  const { deployedBytecode, storage: layout } = loadContract('TestToken')
  const slot = BigInt(layout.find(({ label }) => label === 'balanceOf')!.slot)
  const storage: Record<Hex, Hex> = {}
  const alloc: Alloc = {}
  for (const { address } of userKeys) {
    const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, slot])
    storage[keccak256(key)] = pad(toHex(10n ** 24n))
    alloc[address.toLowerCase() as Hex] = { balance: 10n ** 24n }
  }
  return { ...alloc, [token]: { nonce: 1n, code: deployedBytecode, storage } }
}

/** Signs a user's transaction. */
export function sign(user: number, nonce: number, to: Address | null, data: Hex, gas = GAS): Hex {
  return signTransaction(userKeys[user]!.privateKey, {
    type: 'eip1559',
    chainId: l2ChainId,
    nonce,
    data,
    gas,
    maxPriorityFeePerGas: 1_000_000n,
    maxFeePerGas: 10_000_000_000n,
    ...(to && { to }),
  })
}

/** The next token transfers of ten users in turn, to each other; counts their nonces up. */
export function transfers(token: Address, nonces: number[], count: number): Hex[] {
  return Array.from({ length: count }, (_, index) => {
    const user = index % nonces.length
    const to = userKeys[(user + 3) % userKeys.length]!.address
    return sign(user, nonces[user]!++, token, transferData(to, 1n + BigInt(index % 7)))
  })
}
