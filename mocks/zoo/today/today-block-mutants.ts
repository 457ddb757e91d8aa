import { changeAt } from '../change-at.ts'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { rewriteParams, rewriteResult } from '../rewrites.ts'
import { big } from './big.ts'
import { isBaseTime } from './is-base-time.ts'
import { rewriteToday } from './rewrite-today.ts'

const mutant = mutantsOf('today', 'rpc')

const isOdd = (block: JsonObject) => big(block.number) % 2n === 1n

/** Changes one transaction of each block of 200 ms that lists them whole. */
const rewriteTransaction = (index: number, change: (transaction: JsonObject) => JsonObject) =>
  rewriteToday((block) => {
    const listed = block.transactions as unknown[]
    if (typeof listed[index] !== 'object') return block
    return changeAt(block, ['transactions', index], (each) =>
      change(each as JsonObject),
    ) as JsonObject
  })

const member = (
  rule: string,
  name: string,
  says: string,
  changed: (block: JsonObject) => JsonObject,
) =>
  mutant(
    rule,
    name,
    says,
    rewriteToday((block) => ({ ...block, ...changed(block) })),
  )

const twoBytesLess = (extra: unknown) => `0x00${String(extra).slice(4, 20)}`

/** Mutants of the time, the deposits and the fees of blocks of 200 ms. */
export const TODAY_BLOCK_MUTANTS: readonly Mutant[] = [
  member(
    'TODAY-TIME-01',
    'uneven',
    'Every second block is told 200 ms later than it is',
    (block) => (isOdd(block) ? { timestampMs: hex(big(block.timestampMs) + 200n) } : {}),
  ),
  member('TODAY-TIME-02', 'leap', 'Every sixteen blocks a second is left out', (block) => ({
    timestampMs: hex(big(block.timestampMs) + 1_000n * (big(block.number) / 16n)),
  })),
  member(
    'TODAY-TIME-03',
    'to-a-hundred',
    'timestampMs ends with hundreds that are no slot',
    (block) => ({
      timestampMs: hex(big(block.timestampMs) + 100n),
    }),
  ),
  member('TODAY-TIME-04', 'own-second', 'Each block has a second of its own', (block) => ({
    timestamp: hex(big(block.timestamp) + (big(block.timestampMs) % 1000n) / 200n),
  })),
  mutant(
    'TODAY-TIME-05',
    'other-gas',
    'The deposit of BaseTime has less gas',
    rewriteTransaction(1, (each) => ({ ...each, gas: '0x186a0' })),
  ),
  mutant(
    'TODAY-TIME-06',
    'other-source',
    'The source of that deposit is that of the first',
    rewriteToday((block) => {
      const [first] = block.transactions as JsonObject[]
      return changeAt(
        block,
        ['transactions', 1, 'sourceHash'],
        () => first?.sourceHash,
      ) as JsonObject
    }),
  ),
  mutant(
    'TODAY-TIME-07',
    'twice',
    'The deposit is listed twice',
    rewriteToday((block) => {
      const [, second] = block.transactions as unknown[]
      return { ...block, transactions: [...(block.transactions as unknown[]), second] }
    }),
  ),
  mutant(
    'TODAY-TIME-08',
    'deposit-failed',
    'The receipt of the deposit says that it failed',
    rewriteResult('eth_getBlockReceipts', (result) => changeAt(result, [1, 'status'], () => '0x0')),
  ),
  mutant(
    'TODAY-TIME-09',
    'late-contract',
    'BaseTime answers for the block before',
    rewriteParams('eth_call', ([call, selector]) =>
      isBaseTime((call as JsonObject | undefined)?.to) && /^0x/.test(String(selector))
        ? [call, hex(big(selector) - 1n)]
        : [call, selector],
    ),
  ),
  mutant(
    'TODAY-TIME-10',
    'latest-slot',
    'The slot of BaseTime is that of the block before',
    rewriteParams('eth_getStorageAt', ([address, slot, selector]) =>
      isBaseTime(address) && /^0x/.test(String(selector))
        ? [address, slot, hex(big(selector) - 1n)]
        : [address, slot, selector],
    ),
  ),
  mutant(
    'TODAY-TIME-11',
    'no-sequence',
    'The sequence number of L1 attributes stays zero',
    rewriteTransaction(0, (each) => ({
      ...each,
      input: `${String(each.input).slice(0, 26)}${'0'.repeat(16)}${String(each.input).slice(42)}`,
    })),
  ),
  mutant(
    'TODAY-TIME-12',
    'early-origin',
    'The L1 origin is a minute ahead',
    rewriteTransaction(0, (each) => {
      const input = String(each.input)
      const later = BigInt(`0x${input.slice(42, 58)}`) + 60n
      return {
        ...each,
        input: `${input.slice(0, 42)}${later.toString(16).padStart(16, '0')}${input.slice(58)}`,
      }
    }),
  ),
  member('TODAY-TIME-13', 'own-randao', 'Each block has a prevRandao of its own', (block) => ({
    mixHash: block.hash,
  })),
  member('TODAY-FEE-01', 'holocene-extra', 'extraData has the nine bytes of Holocene', (block) => ({
    extraData: twoBytesLess(block.extraData),
  })),
  member(
    'TODAY-FEE-02',
    'old-denominator',
    'The base fee is one wei more than it should be',
    (block) => (isOdd(block) ? { baseFeePerGas: hex(big(block.baseFeePerGas) + 1n) } : {}),
  ),
  member('TODAY-FEE-03', 'now-and-then', 'Every second block has a tenth of the gas', (block) =>
    isOdd(block) ? { gasLimit: hex(big(block.gasLimit) / 10n) } : {},
  ),
  mutant(
    'TODAY-FEE-04',
    'large-transaction',
    'Transactions of users ask for more than 2^24 gas',
    rewriteToday(
      (block) =>
        changeAt(block, ['transactions', '*'], (each) =>
          typeof each === 'object' && (each as JsonObject).type !== '0x7e'
            ? { ...(each as JsonObject), gas: '0x1000001' }
            : each,
        ) as JsonObject,
    ),
  ),
  member('TODAY-RPC-07', 'with-part', 'Blocks have timestampMillisPart', (block) => ({
    timestampMillisPart: hex(big(block.timestampMs) % 1000n),
  })),
]
