import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'

const PORTAL = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
])
/** Wei per gas: more than L1 ever asks for, so that no deposit waits for a cheaper time. */
const MOST_FEE = 10_000_000_000_000n

export interface Deposit {
  /** Of one of the world's accounts. */
  client: number
  /** Of that account on L1. */
  nonce: number
  to: Address
  /** Wei that L2 moves to it, and wei that come from L1. */
  value: bigint
  mint: bigint
}

/** A transaction of L1 that deposits ether to L2. */
export function signDeposit(
  { facts }: World,
  { client, nonce, to, value, mint }: Deposit,
): Promise<Hex> {
  return accountOf(facts.accounts[client]!.privateKey).signTransaction({
    chainId: facts.l1ChainId,
    type: 'eip1559',
    nonce,
    gas: 300_000n,
    maxFeePerGas: MOST_FEE,
    maxPriorityFeePerGas: 1_000_000_000n,
    to: facts.contracts.optimismPortal,
    value: mint,
    data: encodeFunctionData({
      abi: PORTAL,
      functionName: 'depositTransaction',
      args: [to, value, 100_000n, false, '0x'],
    }),
  })
}
