import { expect, test } from 'vitest'
import type { Frame } from './frame.ts'
import { orderFrames } from './order-frames.ts'

/** `A0 A1! B0`: channel, number, `!` for the last one. OP specs, Holocene, "Frame Queue". */
test.each([
  ['frames in order', 'A0 A1 A2! B0', 'A0 A1 A2! B0'],
  ['a gap', 'A0 A2! A1', 'A0 A1'],
  ['a duplicate', 'A0 A1 A1 A2', 'A0 A1 A2'],
  ['a first frame again', 'A0 A0 A1', 'A0 A1'],
  ['frames behind the closing one', 'A0! A1 A2', 'A0!'],
  ['a channel that goes on from an earlier transaction', 'A3 A4!', 'A3 A4!'],
  ['a first frame after an unclosed channel', 'A0 A1 B0 B1!', 'B0 B1!'],
  ['a first frame after an unclosed channel after a closed one', 'A0! B0 B1 C0!', 'A0! C0!'],
  ['a later frame of another channel', 'A0 B1 A1!', 'A0 A1!'],
  ['a later frame of another channel after a closed one', 'A0! B1 B2!', 'A0!'],
  ['interleaved channels', 'A0 B0 A1! B1!', 'B0 B1!'],
])('given %s, the queue is ordered', (_name, given, expected) => {
  expect(show(orderFrames(given.split(' ').map(parse)))).toBe(expected)
})

function parse(text: string): Frame {
  return {
    channelId: `0x${text[0]}`,
    number: Number(text[1]),
    data: new Uint8Array(0),
    isLast: text.endsWith('!'),
  }
}

function show(frames: Frame[]): string {
  return frames
    .map(({ channelId, number, isLast }) => `${channelId[2]}${number}${isLast ? '!' : ''}`)
    .join(' ')
}
