import { numberToHex } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { CONTRACTS, SENDER_BALANCE, SENDERS } from './accounts.ts'
import type { Contract, Payload, PayloadCall } from './payload.ts'
import { codeOf } from './program.ts'

/** blockStateCalls of eth_simulateV1. */
export function simulationOf({ contracts, blocks }: Payload): Record<string, unknown>[] {
  return blocks.map(({ replaced, calls }, index) => ({
    stateOverrides: {
      ...(index === 0 && accountsOf(contracts)),
      ...(replaced && index > 0 && replacedIn(replaced)),
    },
    calls: calls.map(callOf),
  }))
}

const wordOf = (value: number) => numberToHex(value, { size: 32 })

const replacedIn = ({ contract, program }: { contract: number; program: Contract['program'] }) => ({
  [CONTRACTS[contract]!]: { code: codeOf(program) },
})

/** State overrides that put all accounts in place. */
export function accountsOf(contracts: readonly Contract[]): Record<Hex, unknown> {
  const senders = SENDERS.map((address) => [address, { balance: numberToHex(SENDER_BALANCE) }])
  const others = contracts.map(({ program, balance, nonce, storage }, index) => [
    CONTRACTS[index],
    {
      ...{ balance: numberToHex(balance), nonce: numberToHex(nonce), code: codeOf(program) },
      state: Object.fromEntries(storage.map((value, slot) => [wordOf(slot), wordOf(value)])),
    },
  ])
  return Object.fromEntries([...senders, ...others])
}

export function callOf({ sender, to, value, data, gas }: PayloadCall): Record<string, unknown> {
  return {
    ...{ from: SENDERS[sender], to: CONTRACTS[to], data },
    ...{ value: numberToHex(value), gas: numberToHex(gas) },
  }
}
