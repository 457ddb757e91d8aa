/** Members that are the same in every block, sealed or pending. */
export const BLOCK_CONSTANTS: readonly (readonly [
  field: string,
  value: unknown,
  rule: string,
  why: string,
])[] = [
  [
    'nonce',
    '0x0000000000000000',
    'RPC-BLK-08',
    'No proof of work: eight zero bytes, not a quantity.',
  ],
  [
    'sha3Uncles',
    '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    'RPC-BLK-09',
    'The hash of the empty RLP list, not of empty bytes.',
  ],
  ['difficulty', '0x0', 'RPC-BLK-15', 'A quantity, so zero is 0x0.'],
  ['uncles', [], 'RPC-BLK-24', 'Clients iterate over the list.'],
  ['withdrawals', [], 'RPC-BLK-25', 'An L2 has no validator withdrawals; the list is still there.'],
  [
    'requestsHash',
    '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'RPC-BLK-31',
    'No requests on an L2: SHA-256 of nothing (EIP-7685).',
  ],
]
