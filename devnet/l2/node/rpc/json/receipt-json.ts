import type { L1FeeFields, Receipt } from '#protocol/types/block'
import { isSealed } from '../../chain-view.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { toQuantity, ZERO_HASH } from './hex.ts'
import { logJson, placedLogs } from './log-json.ts'

/** A receipt with the fields OP adds; blockHash is zero while pre-confirmed, as on Base. */
export function receiptJson(block: ReadableBlock, index: number) {
  const receipt = block.receipts[index]!
  const transaction = block.transactions[index]!
  const logs = [...placedLogs(block, index, index + 1)].map((placed) => logJson(block, placed))
  return {
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(index),
    blockHash: isSealed(block) ? block.hash : ZERO_HASH,
    blockNumber: toQuantity(block.header.number),
    from: transaction.from,
    to: transaction.to,
    type: toQuantity(receipt.type),
    status: toQuantity(receipt.status),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    gasUsed: toQuantity(receipt.gasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    contractAddress: receipt.contractAddress,
    logsBloom: receipt.logsBloom,
    logs,
    ...depositFields(receipt),
    ...(receipt.l1 ? l1Fields(receipt.l1) : {}),
  }
}

function depositFields({ depositNonce, depositReceiptVersion }: Receipt) {
  return {
    ...(depositNonce !== undefined && { depositNonce: toQuantity(depositNonce) }),
    ...(depositReceiptVersion !== undefined && {
      depositReceiptVersion: toQuantity(depositReceiptVersion),
    }),
  }
}

/** Names as op-geth has them; the DA footprint stands in blobGasUsed (OP specs, Jovian). */
function l1Fields(l1: L1FeeFields) {
  return {
    l1GasPrice: toQuantity(l1.l1GasPrice),
    l1BlobBaseFee: toQuantity(l1.l1BlobBaseFee),
    l1GasUsed: toQuantity(l1.l1GasUsed),
    l1Fee: toQuantity(l1.l1Fee),
    l1BaseFeeScalar: toQuantity(l1.l1BaseFeeScalar),
    l1BlobBaseFeeScalar: toQuantity(l1.l1BlobBaseFeeScalar),
    operatorFeeScalar: toQuantity(l1.operatorFeeScalar),
    operatorFeeConstant: toQuantity(l1.operatorFeeConstant),
    ...(l1.daFootprintGasScalar > 0n && {
      daFootprintGasScalar: toQuantity(l1.daFootprintGasScalar),
      blobGasUsed: toQuantity(l1.daFootprint),
    }),
  }
}
