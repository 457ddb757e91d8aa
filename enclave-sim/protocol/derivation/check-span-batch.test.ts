import { hexToBytes } from '@ethereumjs/util'
import { numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { checkSpanBatch, type SpanBatchContext } from './check-span-batch.ts'
import type { SpanBatch } from './span-batch.ts'

/** Its first 20 bytes tell it apart. */
const hash = (number: number) => pad(numberToHex(number, { size: 4 }), { dir: 'right' })
const check = (number: number) => hexToBytes(hash(number)).subarray(0, 20)
const l1Block = (number: bigint) => ({
  number,
  hash: hash(Number(number)),
  timestamp: 1000n + 12n * number,
})

/** L2 genesis at 1000 s; safe head 50 at 1100 s in epoch 8; L2 block n has the hash 500 + n. */
const CONTEXT: SpanBatchContext = {
  config: {
    genesis: { l2: { number: 0 }, l2Time: 1000 },
    blockTime: 2,
    maxSequencerDrift: 100,
    sequencerWindowSize: 20,
  },
  parent: {
    number: 50n,
    hash: hash(550),
    timestamp: 1100n,
    l1Origin: { number: 8n, hash: hash(8) },
  },
  epoch: l1Block(8n),
  l1Block: (number) => (number >= 8n && number <= 15n ? l1Block(number) : undefined),
  inclusionNumber: 15n,
  l2GenesisTime: 1000n,
  ancestor: async (number) =>
    number >= 0n ? { hash: hash(500 + Number(number)), l1OriginNumber: 7n } : undefined,
}
const blocks = (...origins: (0 | 1)[]) =>
  origins.map((bit) => ({ originChanged: bit === 1, transactions: [] }))
/** Blocks 51 to 53 at 102, 104 and 106 s in epochs 8, 9, 9. */
const SPAN: SpanBatch = {
  relativeTimestamp: 102n,
  l1OriginNumber: 9n,
  parentCheck: check(550),
  l1OriginCheck: check(9),
  blocks: blocks(0, 1, 0),
}
/** Blocks 49 to 51 in epochs 7, 8, 8, behind block 48. */
const OVERLAP = {
  relativeTimestamp: 98n,
  l1OriginNumber: 8n,
  parentCheck: check(548),
  l1OriginCheck: check(8),
  blocks: blocks(0, 1, 0),
}

/** OP specs, Holocene "Span Batches" and Delta "Batch Queue". */
test.each<[string, Partial<SpanBatch>, Partial<SpanBatchContext>, string]>([
  ['a span from the safe head on', {}, {}, 'accept'],
  ['a span that starts one block late', { relativeTimestamp: 104n }, {}, 'drop'],
  ['a span that ends at the safe head', { relativeTimestamp: 96n }, {}, 'past'],
  ['a span that ends one block after it', OVERLAP, {}, 'accept'],
  ['a span between two block times', { ...OVERLAP, relativeTimestamp: 99n }, {}, 'drop'],
  ['another parent', { parentCheck: check(551) }, {}, 'drop'],
  ['an overlap with another parent', { ...OVERLAP, parentCheck: check(549) }, {}, 'drop'],
  [
    'an overlap with a block that is not known',
    OVERLAP,
    { ancestor: async () => undefined },
    'drop',
  ],
  ['the last L1 block of the window', {}, { inclusionNumber: 28n }, 'accept'],
  ['an L1 block beyond the window of its first epoch', {}, { inclusionNumber: 29n }, 'drop'],
  ['a first epoch after the next', { l1OriginNumber: 11n, l1OriginCheck: check(11) }, {}, 'drop'],
  [
    'a first epoch before the safe head’s',
    { l1OriginNumber: 8n, l1OriginCheck: check(8) },
    {},
    'drop',
  ],
  ['a last epoch of another L1', { l1OriginCheck: check(10) }, {}, 'drop'],
  [
    'a last epoch beyond L1',
    { l1OriginNumber: 16n, l1OriginCheck: check(16), blocks: blocks(1, 1, 1, 1, 1, 1, 1, 1) },
    {},
    'drop',
  ],
  ['a first block in the next epoch', { blocks: blocks(1, 0, 0) }, {}, 'accept'],
  [
    'a first block in the epoch after the next',
    { l1OriginNumber: 10n, l1OriginCheck: check(10), blocks: blocks(1, 0, 0) },
    {},
    'drop',
  ],
])('given %s, the verdict is right', async (_name, span, context, verdict) => {
  expect(await checkSpanBatch({ ...SPAN, ...span }, { ...CONTEXT, ...context })).toBe(verdict)
})
