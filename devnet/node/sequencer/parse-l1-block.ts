import { hexToBytes } from '@ethereumjs/util'
import { z } from 'zod'
import { blobBaseFee, type L1Header } from '../../../enclave-sim/derivation/l1-header.ts'
import type { L1Receipt } from '../../../enclave-sim/derivation/l1-source.ts'
import type { Hex } from '../../../enclave-sim/execution/types.ts'

const hex = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/i)
  .transform((text) => text.toLowerCase() as Hex)
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)

const header = z.object({
  hash: hex,
  parentHash: hex,
  number: quantity,
  timestamp: quantity,
  transactionsRoot: hex,
  receiptsRoot: hex,
  logsBloom: hex,
  mixHash: hex,
  baseFeePerGas: quantity,
  excessBlobGas: quantity.nullish(),
  parentBeaconBlockRoot: hex.nullish(),
  requestsHash: hex.nullish(),
})

const receipts = z.array(
  z.object({ logs: z.array(z.object({ address: hex, topics: z.array(hex), data: hex })) }),
)

/** Reads what eth_getBlockByNumber answers for an L1 block. @throws ZodError */
export function parseL1Header(json: unknown): L1Header {
  const { baseFeePerGas, excessBlobGas, requestsHash, ...block } = header.parse(json)
  return {
    ...block,
    logsBloom: hexToBytes(block.logsBloom),
    baseFee: baseFeePerGas,
    blobBaseFee: excessBlobGas == null ? 1n : blobBaseFee(excessBlobGas, requestsHash != null),
    parentBeaconBlockRoot: block.parentBeaconBlockRoot ?? undefined,
  }
}

/** Reads what eth_getBlockReceipts answers for an L1 block. @throws ZodError */
export function parseL1Receipts(json: unknown): L1Receipt[] {
  return receipts.parse(json).map(({ logs }) => ({
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data: hexToBytes(data) })),
  }))
}
