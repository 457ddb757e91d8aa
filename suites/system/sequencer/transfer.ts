import { hexToBytes } from '@ethereumjs/util'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Hex } from '#protocol/types/bytes'
import { signTransaction } from '#suites/oracles/differential/sign'

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
