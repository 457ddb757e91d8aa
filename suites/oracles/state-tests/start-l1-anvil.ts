import type { Alloc, AllocAccount } from '#protocol/types/account'
import type { Address, Hex } from '#protocol/types/bytes'
import { type ReferenceAnvil, startReferenceAnvil } from '../differential/reference-anvil.ts'
import { SAMPLE_ENVIRONMENT, SAMPLE_STATE } from './sample-cases.ts'

/** anvil with the rules of L1 (revm, Prague), on the state of the samples. */
export function startL1Anvil(): Promise<ReferenceAnvil> {
  const { feeRecipient, gasLimit, baseFeePerGas, timestamp } = SAMPLE_ENVIRONMENT
  return startReferenceAnvil({
    chainId: 1,
    rules: 'prague',
    alloc: SAMPLE_STATE,
    coinbase: feeRecipient,
    gasLimit,
    baseFeePerGas,
    timestamp,
  })
}

/** An allocation as genesis files and state tests write it. */
export function allocFile(alloc: Alloc) {
  const accounts = Object.entries(alloc) as [Address, AllocAccount][]
  return Object.fromEntries(
    accounts.map(([address, { balance, nonce, code, storage }]) => [
      address,
      { balance: hex(balance!), nonce: hex(nonce!), code: code ?? '0x', storage: storage ?? {} },
    ]),
  )
}

export function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
