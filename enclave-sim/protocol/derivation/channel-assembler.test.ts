import { bytesToUtf8, utf8ToBytes } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { createChannelAssembler } from './channel-assembler.ts'

/** Each frame as `channel number data last?@L1 block`. */
test.each([
  ['one frame', ['A 0 x last@1'], ['x']],
  ['frames over several blocks', ['A 0 x@1', 'A 1 y@2', 'A 2 z last@3'], ['xyz']],
  ['a missing frame', ['A 0 x@1', 'A 2 z last@1'], []],
  ['a missing first frame', ['A 1 y last@1'], []],
  ['a duplicate', ['A 0 x@1', 'A 1 y@1', 'A 1 y@1', 'A 2 z last@1'], ['xyz']],
  ['a new channel in place of an open one', ['A 0 x@1', 'B 0 y last@1', 'A 1 z last@1'], ['y']],
  ['a frame of a channel that is not open', ['A 0 x@1', 'B 1 y@1', 'A 1 z last@1'], ['xz']],
  ['the last block before the timeout', ['A 0 x@1', 'A 1 y last@11'], ['xy']],
  ['the timeout', ['A 0 x@1', 'A 1 y last@12'], []],
  ['the channel once more after it timed out', ['A 0 x@1', 'A 1 y@12', 'A 0 z last@12'], ['z']],
  ['two channels one after the other', ['A 0 x last@1', 'B 0 y last@1'], ['x', 'y']],
])('given %s, complete channels come out', (_name, frames, expected) => {
  const assembler = createChannelAssembler(10)
  expect(frames.map((text) => add(assembler, text)).filter(Boolean)).toEqual(expected)
})

test('given a channel larger than allowed, it is dropped', () => {
  // Each frame counts its data and 200 bytes.
  const assembler = createChannelAssembler(10, 402)
  expect(add(assembler, 'A 0 x@1')).toBeUndefined()
  expect(add(assembler, 'A 1 y last@1')).toBe('xy')
  expect(add(assembler, 'B 0 x@1')).toBeUndefined()
  expect(add(assembler, 'B 1 yz@1')).toBeUndefined()
  expect(add(assembler, 'B 2 z last@1')).toBeUndefined()
})

function add(assembler: ReturnType<typeof createChannelAssembler>, text: string) {
  const [frame, l1Number] = text.split('@')
  const [channel, number, data, last] = frame!.split(' ')
  const complete = assembler.add(
    {
      channelId: `0x${channel}`,
      number: Number(number),
      data: utf8ToBytes(data!),
      isLast: last !== undefined,
    },
    BigInt(l1Number!),
  )
  return complete && bytesToUtf8(complete)
}
