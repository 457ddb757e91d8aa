import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { MESSAGE_PASSER } from '../model/predeploys.ts'

const PASSER = parseAbi([
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
])
const TARGET = numberToHex(0x7a26e7, { size: 20 })
/** Of no function that the contract has. */
const STRANGE = '0xdeadc0de'
const GAS = 300_000n

/** What a transaction is for; wei. */
export interface Sending {
  to: Address
  value: bigint
  gas: bigint
  data?: Hex
  /** For each gas. */
  tip?: bigint
}

/** The n-th withdrawal: ether without a word, with data for its target, data alone, and one that is refused. */
export function withdrawal(index: number): Sending {
  const value = BigInt(1 + (index % 7))
  const sending = { to: MESSAGE_PASSER, value, gas: GAS } as const
  const data = (args: readonly [Hex, bigint, Hex]) =>
    encodeFunctionData({ abi: PASSER, functionName: 'initiateWithdrawal', args })
  const some = numberToHex(index, { size: 1 + (index % 40) })
  if (index % 4 === 0) return sending
  if (index % 4 === 1) return { ...sending, data: data([TARGET, BigInt(index), some]) }
  if (index % 4 === 2) return { ...sending, value: 0n, data: data([TARGET, GAS, some]) }
  return { ...sending, data: STRANGE }
}
