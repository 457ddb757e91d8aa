import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Receipt } from '#protocol/types/block'
import type {
  DepositTransaction,
  SignedTransaction,
  Transaction,
} from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import { isSealed } from '../../chain-view.ts'
import type { ProfileValues } from '../profile-differences.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { toQuantity } from './hex.ts'
import { placeMillisecondsJson } from './milliseconds-json.ts'

/**
 * A transaction in its block. Pre-confirmed: blockHash is null, and by the spec profile blockNumber
 * too (OPEN-06…08). Since Denim one that is sealed has `blockTimestampMs`.
 */
export function transactionJson(block: ReadableBlock, index: number, profile: ProfileValues) {
  const number = toQuantity(block.header.number)
  const sealed = isSealed(block)
  return {
    blockHash: sealed ? block.hash : null,
    blockNumber: sealed || profile.pendingIdentity !== 'null' ? number : null,
    blockTimestamp: toQuantity(block.header.timestamp),
    ...placeMillisecondsJson(block),
    transactionIndex: toQuantity(index),
    ...transactionFields(block.transactions[index]!, block.receipts[index]),
  }
}

/** A transaction that is in the pool only. */
export function pooledTransactionJson(transaction: Transaction) {
  return {
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    transactionIndex: null,
    ...transactionFields(transaction, undefined),
  }
}

/** What is signed, without a place. */
export function transactionFields(transaction: Transaction, receipt?: Receipt) {
  const common = {
    hash: transaction.hash,
    type: toQuantity(transaction.type),
    from: transaction.from,
    to: transaction.to,
    value: toQuantity(transaction.value),
    gas: toQuantity(transaction.gas),
    input: bytesToHex(transaction.data),
  }
  return isDeposit(transaction)
    ? { ...common, ...depositFields(transaction, receipt) }
    : { ...common, ...signedFields(transaction, receipt) }
}

/** Source: OP specs, "deposits"; nonce and receipt version come from the receipt, as in op-geth. */
function depositFields(transaction: DepositTransaction, receipt: Receipt | undefined) {
  return {
    sourceHash: transaction.sourceHash,
    mint: toQuantity(transaction.mint),
    // Left out when false, as on Base: alloy takes a quantity here, and no boolean.
    ...(transaction.isSystemTransaction && { isSystemTx: true }),
    nonce: toQuantity(receipt?.depositNonce ?? 0n),
    depositReceiptVersion: toQuantity(receipt?.depositReceiptVersion ?? 1n),
    gasPrice: '0x0',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  }
}

function signedFields(transaction: SignedTransaction, receipt: Receipt | undefined) {
  const { type, chainId, yParity } = transaction
  const hasTips = type === 2 || type === 4
  return {
    nonce: toQuantity(transaction.nonce),
    gasPrice: toQuantity(receipt?.effectiveGasPrice ?? transaction.maxFeePerGas),
    ...(hasTips && {
      maxFeePerGas: toQuantity(transaction.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas),
    }),
    ...(chainId !== undefined && { chainId: toQuantity(chainId) }),
    ...(type !== 0 && { accessList: transaction.accessList, yParity: toQuantity(yParity) }),
    ...(type === 4 && {
      authorizationList: transaction.authorizationList.map((authorization) => ({
        chainId: toQuantity(authorization.chainId),
        address: authorization.address,
        nonce: toQuantity(authorization.nonce),
        yParity: toQuantity(authorization.yParity),
        r: toQuantity(authorization.r),
        s: toQuantity(authorization.s),
      })),
    }),
    v: toQuantity(transaction.v),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
  }
}
