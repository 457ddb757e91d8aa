import { hexToBytes } from '@ethereumjs/util'
import type { Hex } from '../../enclave-sim/protocol/types/bytes.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'
import { userKeys } from '../../fixtures/chain/dev-keys.ts'
import { signTransaction } from '../differential/sign.ts'

/** A signed transfer of one wei from one of the ten users. */
export function transfer(
  user: number,
  nonce: number,
  fields: { gas?: bigint; tip?: bigint; data?: Hex; value?: bigint } = {},
): Uint8Array {
  const { gas = 21_000n, tip = 1_000_000n, data = '0x', value = 1n } = fields
  return hexToBytes(
    signTransaction(userKeys[user]!.privateKey, {
      type: 'eip1559',
      chainId: l2ChainId,
      nonce,
      to: `0x${'42'.repeat(20)}`,
      value,
      gas,
      data,
      maxPriorityFeePerGas: tip,
      maxFeePerGas: tip + 1_000_000_000n,
    }),
  )
}
