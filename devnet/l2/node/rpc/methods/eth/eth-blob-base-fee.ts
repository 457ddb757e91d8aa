import { BLOB_BASE_FEE } from '../../calls/call-environment.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_blobBaseFee`: the minimum; OP blocks have no blobs. */
export const ethBlobBaseFee: NodeMethod = () => toQuantity(BLOB_BASE_FEE)
