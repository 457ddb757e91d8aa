import { errorRows } from './error-row.ts'

/** Transactions, and the pool: numbers from 300 on. */
export const TRANSACTION_ERRORS = errorRows({
  TRANSACTION_EMPTY: { number: 301, title: 'A transaction has no bytes' },
  TRANSACTION_TYPE_UNKNOWN: { number: 302, title: 'There is no such type of transaction' },
  TYPE_NOT_SUPPORTED: {
    number: 303,
    title: 'This type of transaction is not taken',
    action: 'Send a transaction of type 0, 1, 2 or 4.',
  },
  BLOB_TRANSACTION_UNSUPPORTED: { number: 304, title: 'L2 has no blob transactions' },
  RLP_INVALID: { number: 305, title: 'The bytes are not canonical RLP' },
  FIELD_COUNT_WRONG: { number: 306, title: 'A transaction has too many or too few fields' },
  FIELD_INVALID: { number: 307, title: 'A field of a transaction is wrong' },
  QUANTITY_NOT_CANONICAL: { number: 308, title: 'A number has a leading zero' },
  QUANTITY_TOO_LARGE: { number: 309, title: 'A number is too large' },
  AUTHORIZATION_LIST_EMPTY: { number: 310, title: 'A set-code transaction authorizes nobody' },
  SIGNATURE_INVALID: { number: 311, title: 'A signature is malformed' },
  SIGNATURE_HIGH_S: { number: 312, title: 'A signature has a high s' },
  SENDER_INVALID: {
    number: 313,
    title: 'No sender can be recovered',
    action: 'Sign the transaction again.',
  },
  SENDER_NOT_EOA: {
    number: 314,
    title: 'The sender is a contract',
    action: 'Send from an account without code, or with a delegation (EIP-7702).',
  },
  WRONG_CHAIN: {
    number: 315,
    title: 'Signed for another chain',
    action: 'Sign with the chain id that `eth_chainId` gives.',
  },
  NONCE_TOO_LOW: {
    number: 316,
    title: 'The nonce is used up',
    action: 'Sign with the nonce that `eth_getTransactionCount` gives at `pending`.',
  },
  NONCE_TOO_HIGH: {
    number: 317,
    title: 'The nonce leaves a gap',
    action: 'Send the transactions before it first.',
  },
  NONCE_MAX: { number: 318, title: 'The sender has no nonce left', action: 'Use another account.' },
  INSUFFICIENT_FUNDS: {
    number: 319,
    title: 'The sender cannot pay value and gas',
    action: 'Give it ether: `rollbed faucet ADDRESS`.',
  },
  INTRINSIC_GAS_TOO_LOW: {
    number: 320,
    title: 'The gas limit is below what every transaction costs',
    action: 'Ask `eth_estimateGas`.',
  },
  FLOOR_GAS_TOO_LOW: {
    number: 321,
    title: 'The gas limit is below the floor for its data',
    action: 'Ask `eth_estimateGas`: data has a least price (EIP-7623).',
  },
  FEE_CAP_BELOW_BASE_FEE: {
    number: 322,
    title: 'The fee cap is below the base fee',
    action: 'Raise maxFeePerGas to the base fee of the newest block or more.',
  },
  TIP_ABOVE_FEE_CAP: {
    number: 323,
    title: 'The tip is above the fee cap',
    action: 'Raise maxFeePerGas, or lower maxPriorityFeePerGas.',
  },
  INITCODE_TOO_LARGE: {
    number: 324,
    title: 'The code to create with is too large',
    action: "Split the contract: the limit is EIP-3860's.",
  },
  EXCEEDS_BLOCK_GAS_LIMIT: {
    number: 325,
    title: 'One transaction wants more gas than a block has',
    action: "Lower its gas limit, or raise the block's.",
  },
  TRANSACTION_TOO_LARGE: {
    number: 326,
    title: 'A transaction is too large for the pool',
    action: 'Send less data: the limit is 128 KB.',
  },
  ALREADY_KNOWN: {
    number: 327,
    title: 'The pool has this transaction already',
    action: 'Wait for its receipt.',
  },
  REPLACEMENT_UNDERPRICED: {
    number: 328,
    title: 'A replacement must pay more',
    action: 'Raise both fees by a tenth or more.',
  },
  POOL_FULL: {
    number: 329,
    title: 'The pool is full',
    action: 'Wait for blocks, or pay more than those that wait.',
  },
  SENDER_LIMIT: {
    number: 330,
    title: 'The sender has too many waiting transactions',
    action: 'Wait until some of them are in a block.',
  },
  TRANSACTION_REPLACED: {
    number: 331,
    title: 'Another with the same nonce took its place',
    action: 'Nothing, where that was meant; else send it with the next nonce.',
  },
  TRANSACTION_EVICTED: {
    number: 332,
    title: 'The pool dropped it for a better one',
    action: 'Send it again with a higher fee.',
  },
  TRANSACTION_DROPPED: { number: 333, title: 'A transaction was dropped' },
  NO_MEMPOOL: {
    number: 334,
    title: 'This node takes no transactions',
    action: 'Send it to the sequencer: this node follows L1.',
  },
  GAS_ABOVE_CAP: {
    number: 335,
    title: 'A transaction wants more gas than one may have',
    action: 'Split it: the cap of one transaction is EIP-7825.',
  },
})
