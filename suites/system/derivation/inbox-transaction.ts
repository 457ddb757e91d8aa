import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { l1ChainId } from '#fixtures/chain/constants'
import { encodeBlob } from '#protocol/derivation/blob-encoding'
import type { ScriptedL1 } from '#protocol/derivation/testing/scripted-l1'
import type { Address, Hex } from '#protocol/types/bytes'
import { signTransaction } from '#suites/oracles/differential/sign'

export interface InboxTransactionOptions {
  to: Address
  key: Hex
  nonce: number
  /** Each piece in a blob of its own; else there is one, in call data. */
  blobsOn?: ScriptedL1 | undefined
}

/** A signed L1 transaction that carries batcher data, EIP-2718 encoded. */
export function inboxTransaction(
  data: readonly Uint8Array[],
  { to, key, nonce, blobsOn }: InboxTransactionOptions,
): Uint8Array {
  const common = {
    chainId: l1ChainId,
    to,
    nonce,
    gas: 1_000_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 0n,
  }
  const signed = blobsOn
    ? signTransaction(key, {
        ...common,
        type: 'eip4844',
        maxFeePerBlobGas: 1n,
        blobVersionedHashes: data.map((bytes) => blobsOn.addBlob(encodeBlob(bytes))),
      })
    : signTransaction(key, { ...common, type: 'eip1559', data: bytesToHex(data[0]!) })
  return hexToBytes(signed)
}
