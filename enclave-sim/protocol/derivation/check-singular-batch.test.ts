import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { BatchContext } from './batch-validity.ts'
import { checkSingularBatch } from './check-singular-batch.ts'
import type { SingularBatch } from './singular-batch.ts'

const hash = (number: number) => numberToHex(number, { size: 32 })
/** L1 block n at 1000 + 12 n seconds. */
const l1Block = (number: bigint) => ({
  number,
  hash: hash(Number(number)),
  timestamp: 1000n + 12n * number,
})

/** Safe head 50 at 1130 s in epoch 10, so that the next batch is due at 1132 s: epoch 11's time. */
const CONTEXT: BatchContext = {
  config: {
    genesis: { l2: { number: 0 }, l2Time: 1000 },
    blockTime: 2,
    maxSequencerDrift: 100,
    sequencerWindowSize: 20,
  },
  parent: {
    number: 50n,
    hash: hash(500),
    timestamp: 1130n,
    l1Origin: { number: 10n, hash: hash(10) },
  },
  epoch: l1Block(10n),
  l1Block: (number) => (number >= 10n && number <= 15n ? l1Block(number) : undefined),
  inclusionNumber: 15n,
}
const BATCH: SingularBatch = {
  parentHash: hash(500),
  epochNumber: 10n,
  epochHash: hash(10),
  timestamp: 1132n,
  transactions: [],
}
const NEXT_EPOCH = { epochNumber: 11n, epochHash: hash(11) }
const transaction = (...bytes: number[]) => ({ transactions: [Uint8Array.from(bytes)] })
/** The safe head so far ahead of its epoch that the next batch, at 1222 s, exceeds the drift. */
const ahead = (timestamp: bigint) => ({ parent: { ...CONTEXT.parent, timestamp } })

/** OP specs, Derivation "Batch Queue" in its order, Holocene, Isthmus. */
test.each<[string, Partial<SingularBatch>, Partial<BatchContext>, string]>([
  ['the next batch in the same epoch', {}, {}, 'accept'],
  ['the next batch in the next epoch', NEXT_EPOCH, {}, 'accept'],
  ['a batch ahead of its time', { timestamp: 1134n }, {}, 'drop'],
  ['a batch of the past', { timestamp: 1130n }, {}, 'past'],
  ['a batch of the past that is wrong, too', { timestamp: 1130n, parentHash: hash(1) }, {}, 'past'],
  ['another parent', { parentHash: hash(501) }, {}, 'drop'],
  ['the last L1 block of the window', {}, { inclusionNumber: 30n }, 'accept'],
  ['an L1 block beyond the window', {}, { inclusionNumber: 31n }, 'drop'],
  ['an epoch older than the safe head’s', { epochNumber: 9n, epochHash: hash(9) }, {}, 'drop'],
  ['an epoch too far ahead', { epochNumber: 12n, epochHash: hash(12) }, {}, 'drop'],
  ['an epoch of another L1', { epochHash: hash(77) }, {}, 'drop'],
  ['the next epoch with this one’s hash', { epochNumber: 11n }, {}, 'drop'],
  ['a batch before its L1 origin', { ...NEXT_EPOCH, timestamp: 1130n }, ahead(1128n), 'drop'],
  [
    'a batch at the limit of the drift',
    { timestamp: 1220n, ...transaction(2) },
    ahead(1218n),
    'accept',
  ],
  ['transactions beyond the drift', { timestamp: 1222n, ...transaction(2) }, ahead(1220n), 'drop'],
  [
    'an empty batch beyond the drift that could take the next epoch',
    { timestamp: 1222n },
    ahead(1220n),
    'drop',
  ],
  [
    'an empty batch beyond the drift that takes the next epoch',
    { ...NEXT_EPOCH, timestamp: 1234n },
    ahead(1232n),
    'accept',
  ],
  [
    'an empty batch beyond the drift before a late L1 block',
    { timestamp: 1222n },
    {
      ...ahead(1220n),
      l1Block: (n) => (n === 11n ? { ...l1Block(n), timestamp: 1223n } : l1Block(n)),
    },
    'accept',
  ],
  ['a legacy transaction', transaction(0xf8), {}, 'accept'],
  ['a transaction of type 1', transaction(1), {}, 'accept'],
  ['a transaction of type 4', transaction(4), {}, 'accept'],
  ['a transaction of type 3', transaction(3), {}, 'drop'],
  ['a transaction of type 5', transaction(5), {}, 'drop'],
  ['a deposit', transaction(0x7e), {}, 'drop'],
  ['an empty transaction', transaction(), {}, 'drop'],
])('given %s, the verdict is right', (_name, batch, context, verdict) => {
  expect(checkSingularBatch({ ...BATCH, ...batch }, { ...CONTEXT, ...context })).toBe(verdict)
})
