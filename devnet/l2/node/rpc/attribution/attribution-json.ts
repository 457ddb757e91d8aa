import { type AttributedSuffix, codesOf } from '#devnet/builder-codes/attribution/read-attribution'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { toQuantity } from '../json/hex.ts'
import type { ShownChain } from '../shown-chain.ts'

/** What the suffix of one transaction says, as `rollbed_getAttribution` answers it. */
export function attributionJson(rpc: ShownChain, data: Uint8Array, read: AttributedSuffix) {
  const { attribution, size, gas } = read
  const codes = codesOf(attribution)
  return {
    codes,
    /** One per code. Credit goes to who registered it, whoever sent the transaction (ATTR-05). */
    wallets: codes.map((code) => rpc.walletOf(code) ?? null),
    schema: attribution.id ?? 0,
    suffix: bytesToHex(data.subarray(data.length - size)),
    size: toQuantity(size),
    gas: toQuantity(gas.intrinsic),
    floorGas: toQuantity(gas.floor),
    attribution,
  }
}
