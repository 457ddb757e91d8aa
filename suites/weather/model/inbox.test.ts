import { concatHex, type Hex, keccak256, numberToHex, slice } from 'viem'
import { expect, test } from 'vitest'
import type { ChainKnown } from './events-of.ts'
import { Inbox } from './inbox.ts'
import { postedSingular } from './posted-singular.ts'

const KNOWN: ChainKnown = {
  ...{ accounts: [], balance: '0x0', chainId: 1, genesisTime: 1_000, blockTime: 2 },
  ...{ genesisL1: 0, sequencerWindow: 50 },
}
const [PARENT, ORIGIN] = [keccak256('0x01'), keccak256('0x02')]
const BATCH = { parent: PARENT, epoch: 7, epochHash: ORIGIN, time: 1_002 }
const channel = (name: number) => numberToHex(name, { size: 16 })
const POSTED = postedSingular(channel(1), [BATCH])
/** Number at 17, whether it is the last at the end. */
const frame = (number: Hex, isLast: Hex, of = POSTED) =>
  concatHex([slice(of, 0, 17), number, slice(of, 19, -1), isLast])
const READ = {
  isSpan: false,
  ...{ parentCheck: PARENT, originCheck: ORIGIN },
  blocks: [{ time: 1_002, epoch: 7, transactions: [] }],
}

/** OP specification, Derivation, "Frame Format", and Holocene, "Frame Queue". */
test('given a channel of one frame, then its batches are read', () => {
  expect(new Inbox(KNOWN).read([POSTED])).toEqual([[READ]])
})

test.each<[string, Hex]>([
  ['another version', concatHex(['0x01', slice(POSTED, 1)])],
  ['half a frame', slice(POSTED, 0, 60)],
  ['a whole frame and half of one', concatHex([POSTED, slice(POSTED, 1, 20)])],
  ['a last byte that is neither 0 nor 1', frame('0x0000', '0x02')],
  ['a frame that is not the first', frame('0x0001', '0x01')],
  ['a channel that is not closed', frame('0x0000', '0x00')],
  ['a gap', concatHex([frame('0x0000', '0x00'), slice(frame('0x0002', '0x01'), 1)])],
])('given %s, then it is no batch, and the next channel is one', (_, data) => {
  const inbox = new Inbox(KNOWN)
  expect(inbox.read([data])).toEqual([])
  expect(inbox.read([postedSingular(channel(2), [BATCH])])).toEqual([[READ]])
})
