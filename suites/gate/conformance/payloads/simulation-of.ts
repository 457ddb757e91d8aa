import { getAddress, numberToHex } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { CONTRACTS, SENDER_BALANCE, SENDERS } from './accounts.ts'
import type { Contract, Payload, PayloadBlock, PayloadCall, PayloadHeader } from './payload.ts'
import { codeOf } from './program.ts'
import { slotWord } from './slot-word.ts'

/** Addresses are bytes: every second one is spelt with the capitals of its checksum (EIP-55). */
const spelt = (addresses: readonly Hex[]) =>
  addresses.map((each, index) => (index % 2 === 1 ? getAddress(each) : each))
const [ALL_CONTRACTS, ALL_SENDERS] = [spelt(CONTRACTS), spelt(SENDERS)]

/** blockStateCalls of eth_simulateV1. */
export function simulationOf({ contracts, blocks }: Payload): Record<string, unknown>[] {
  return blocks.map((block, index) => ({
    ...(block.header && { blockOverrides: headerOf(block.header) }),
    stateOverrides: index === 0 ? accountsOf(contracts) : changedIn(block),
    calls: block.calls.map(callOf),
  }))
}

const wordOf = (value: bigint) => numberToHex(value, { size: 32 })

function changedIn({ replaced, rewritten }: PayloadBlock): Record<Hex, unknown> {
  const changed: Record<Hex, Record<string, unknown>> = {}
  if (replaced) changed[ALL_CONTRACTS[replaced.contract]!] = { code: codeOf(replaced.program) }
  if (rewritten) {
    const { contract, slots, isWhole } = rewritten
    const address = ALL_CONTRACTS[contract]!
    changed[address] = { ...changed[address], [isWhole ? 'state' : 'stateDiff']: storageOf(slots) }
  }
  return changed
}

function headerOf({ number, timestamp, others }: PayloadHeader): Record<string, unknown> {
  return {
    ...{ number: numberToHex(number), timestamp: numberToHex(timestamp) },
    ...(others && {
      ...others,
      gasLimit: numberToHex(others.gasLimit),
      baseFeePerGas: numberToHex(others.baseFeePerGas),
    }),
  }
}

const storageOf = (values: readonly bigint[]) =>
  Object.fromEntries(values.map((value, slot) => [slotWord(slot), wordOf(value)]))

/** State overrides that put all accounts in place. */
export function accountsOf(contracts: readonly Contract[]): Record<Hex, unknown> {
  const senders = ALL_SENDERS.map((address) => [address, { balance: numberToHex(SENDER_BALANCE) }])
  const others = contracts.map(({ program, balance, nonce, storage }, index) => [
    ALL_CONTRACTS[index],
    {
      ...{ balance: numberToHex(balance), nonce: numberToHex(nonce), code: codeOf(program) },
      state: storageOf(storage),
    },
  ])
  return Object.fromEntries([...senders, ...others])
}

export function callOf({ sender, to, value, data, gas }: PayloadCall): Record<string, unknown> {
  return {
    ...{ from: ALL_SENDERS[sender], to: ALL_CONTRACTS[to], data },
    ...{ value: numberToHex(value), gas: numberToHex(gas) },
  }
}
