import { errorRows } from './error-row.ts'

/** Blocks, state and execution: numbers from 400 on. */
export const CHAIN_ERRORS = errorRows({
  BLOCK_GAS_EXCEEDED: {
    number: 401,
    title: 'The block has too little gas left',
    action: 'Send it for the next block.',
  },
  BLOCK_DA_EXCEEDED: {
    number: 402,
    title: 'The block has too little room for data left',
    action: 'Send it for the next block.',
  },
  DEPOSITS_EXCEED_BLOCK_GAS: { number: 403, title: 'Deposits need more gas than a block has' },
  BLOCK_NOT_ON_TOP: {
    number: 404,
    title: 'A block does not follow the newest',
    action: 'Build upon the newest block.',
  },
  BLOCK_NOT_CANONICAL: {
    number: 405,
    title: 'A block is not of this chain',
    action: 'A reorganization took it back: ask for the block of that number.',
  },
  EXECUTION_FAILED: {
    number: 406,
    title: 'A block could not be executed',
    action: "Report it with the log of the devnet: a sequencer's block must execute.",
  },
  HEADER_MALFORMED: {
    number: 407,
    title: 'Bytes are no block header',
    action: 'Check that the node is of an OP chain.',
  },
  EXTRA_DATA_MALFORMED: { number: 408, title: 'The extraData of a block is wrong' },
  RECEIPT_MALFORMED: {
    number: 409,
    title: 'Bytes are no receipt',
    action: 'Check that the node is of an OP chain.',
  },
  ACCOUNT_MALFORMED: {
    number: 410,
    title: 'The state holds what is no account',
    action: 'Fetch the state again from another node.',
  },
  NODE_MALFORMED: { number: 411, title: 'Bytes are no node of the trie' },
  NODE_MISSING: { number: 412, title: 'A node of the trie is missing' },
  ORDERED_TRIE_MALFORMED: {
    number: 413,
    title: 'A trie holds no list',
    action: 'Fetch the block again from another node.',
  },
  EVM_EXHAUSTED: { number: 414, title: 'A message needs more memory than the EVM has' },
  EVM_TRAPPED: { number: 415, title: 'The EVM broke' },
  L1_ORIGIN_MISSING: { number: 416, title: 'L1 lost the block that L2 stands on' },
  BASE_TIME_PROXY_UNFIT: {
    number: 417,
    title: 'A chain cannot tell milliseconds',
  },
})
