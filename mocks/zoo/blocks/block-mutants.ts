import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { plusOne } from '../plus-one.ts'
import { rewriteBlock, rewriteParams, without } from '../rewrites.ts'

const ZERO_HASH = `0x${'00'.repeat(32)}`
const KECCAK_EMPTY = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

const mutant = mutantsOf('block', 'rpc')

/** A mutant that gets one member wrong. */
const member = (
  rule: string,
  field: string,
  says: string,
  value: (block: JsonObject) => unknown,
): Mutant =>
  mutant(
    rule,
    `${field.toLowerCase()}-wrong`,
    says,
    rewriteBlock((block) => ({ ...block, [field]: value(block) })),
  )

const dropped = (rule: string, field: string, says: string): Mutant =>
  mutant(
    rule,
    `${field.toLowerCase()}-dropped`,
    says,
    rewriteBlock((block) => without(block, field)),
  )

/** Mutants of sealed blocks. */
export const BLOCK_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-BLK-01',
    'selector-defaults',
    'A missing selector is latest',
    rewriteParams('eth_getBlockByNumber', (params) => (params.length ? params : ['latest', false])),
  ),
  mutant(
    'RPC-BLK-02',
    'flag-defaults',
    'A missing flag is false',
    rewriteParams('eth_getBlockByNumber', (params) =>
      params.length === 1 ? [params[0], false] : params,
    ),
  ),
  dropped('RPC-BLK-03', 'requestsHash', 'Leaves requestsHash out'),
  mutant('RPC-BLK-04', 'none-is-error', 'A missing block is an error', () => ({
    response: (response, call) =>
      call.method === 'eth_getBlockByNumber' && response.result === null
        ? { ...without(response, 'result'), error: { code: -32001, message: 'block not found' } }
        : response,
  })),
  member('RPC-BLK-05', 'number', 'Adds one to the height', (block) =>
    block.number === null ? null : plusOne(block.number),
  ),
  member('RPC-BLK-06', 'hash', 'hash is the parent hash', (block) =>
    block.hash === null ? null : block.parentHash,
  ),
  member('RPC-BLK-07', 'parentHash', 'parentHash is the own hash', (block) => block.hash),
  member('RPC-BLK-08', 'nonce', 'nonce is a quantity', () => '0x0'),
  member('RPC-BLK-09', 'sha3Uncles', 'Hash of empty bytes', () => KECCAK_EMPTY),
  member('RPC-BLK-10', 'logsBloom', 'Bloom always zero', () => `0x${'00'.repeat(256)}`),
  member('RPC-BLK-11', 'transactionsRoot', 'Root of the empty trie', () => EMPTY_TRIE),
  member('RPC-BLK-12', 'stateRoot', 'Zero root', () => ZERO_HASH),
  member(
    'RPC-BLK-13',
    'receiptsRoot',
    'Copies transactionsRoot',
    (block) => block.transactionsRoot,
  ),
  member('RPC-BLK-14', 'miner', 'Always the zero address', () => `0x${'00'.repeat(20)}`),
  member('RPC-BLK-15', 'difficulty', 'Two digits for zero', () => '0x00'),
  dropped('RPC-BLK-16', 'mixHash', 'Leaves mixHash out'),
  member('RPC-BLK-17', 'extraData', 'Always empty', () => '0x'),
  member('RPC-BLK-18', 'size', 'Counts one byte too many', (block) => plusOne(block.size)),
  member('RPC-BLK-19', 'gasLimit', 'Reports gasUsed', (block) => block.gasUsed),
  member('RPC-BLK-20', 'gasUsed', 'Counts one gas too many', (block) => plusOne(block.gasUsed)),
  member('RPC-BLK-21', 'timestamp', 'Milliseconds', (block) => {
    return `0x${(BigInt(String(block.timestamp)) * 1000n).toString(16)}`
  }),
  mutant(
    'RPC-BLK-22',
    'always-objects',
    'Full transactions whatever the flag',
    rewriteParams('eth_getBlockByNumber', ([selector]) => [selector, true]),
  ),
  mutant(
    'RPC-BLK-23',
    'always-hashes',
    'Hashes whatever the flag',
    rewriteParams('eth_getBlockByNumber', ([selector]) => [selector, false]),
  ),
  member('RPC-BLK-24', 'uncles', 'null for none', () => null),
  dropped('RPC-BLK-25', 'withdrawals', 'Left out when empty'),
  member('RPC-BLK-26', 'withdrawalsRoot', 'null', () => null),
  member('RPC-BLK-27', 'baseFeePerGas', 'A constant', () => '0x1'),
  dropped('RPC-BLK-28', 'blobGasUsed', 'Left out'),
  member('RPC-BLK-29', 'excessBlobGas', 'Not what the header has', (block) =>
    plusOne(block.excessBlobGas),
  ),
  member('RPC-BLK-30', 'parentBeaconBlockRoot', 'parentHash instead', (block) => block.parentHash),
  member('RPC-BLK-31', 'requestsHash', 'keccak of nothing', () => KECCAK_EMPTY),
]
