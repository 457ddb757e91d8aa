import { errorRows } from './error-row.ts'

/** L1 and blobs: numbers from 500 on. */
export const L1_ERRORS = errorRows({
  L1_NOT_REBUILT: { number: 501, title: 'L1 is not what it was' },
  L1_NOT_WRITTEN: { number: 502, title: 'L1 cannot be written to disk' },
  L1_NOT_MINED: { number: 503, title: 'L1 did not mine a transaction' },
  L1_REVERTED: {
    number: 504,
    title: 'A call reverts on L1',
    action: 'The revert names what the contract wants otherwise.',
  },
  L1_CALL_FAILED: {
    number: 505,
    title: 'A call of L1 failed',
    action: 'Check the L1 URL and the addresses of the contracts.',
  },
  L1_TRANSACTION_FAILED: {
    number: 506,
    title: 'A transaction of the deployment failed on L1',
    action: 'Check that L1 mines and that the account can pay.',
  },
  L1_WITHOUT_CHEATS: { number: 507, title: 'This L1 does not mine on demand' },
  L1_NEEDED: { number: 508, title: 'An L1 URL is needed' },
  L1_ROOT_MISMATCH: { number: 509, title: 'L1 gave a list of another block' },
  BLOCK_UNAVAILABLE: { number: 510, title: 'L1 does not have all of a block' },
  BEACON_UNREACHABLE: { number: 511, title: 'The beacon API does not answer' },
  BLOB_UNAVAILABLE: { number: 512, title: 'The beacon API does not have a blob' },
  BLOB_MISMATCH: { number: 513, title: 'The beacon API gave another blob' },
  BLOB_MALFORMED: { number: 514, title: 'Bytes are no blob' },
  BLOBS_NOT_READ: {
    number: 515,
    title: 'Batches are in blobs, and nobody reads them',
    action: 'Give the URL of a beacon API.',
  },
  KZG_FAILED: { number: 516, title: 'Blobs cannot be committed to' },
  REORG_TOO_DEEP: {
    number: 517,
    title: 'L1 has not so many blocks to take back',
    action: 'Ask for a reorganization of fewer blocks.',
  },
})
