import type { Frame } from './frame.ts'

/**
 * Drops the frames of one batcher transaction that are out of order, so that what is left is, channel
 * by channel, contiguous; a first frame throws out the unclosed channel before it.
 * Source: OP specs, Holocene, "Frame Queue".
 */
export function orderFrames(frames: readonly Frame[]): Frame[] {
  const queue: Frame[] = []
  for (const frame of frames) {
    const previous = queue.at(-1)
    if (!previous || follows(previous, frame)) {
      queue.push(frame)
    } else if (frame.number === 0 && frame.channelId !== previous.channelId) {
      while (queue.at(-1)?.channelId === previous.channelId) queue.pop()
      queue.push(frame)
    }
  }
  return queue
}

function follows(previous: Frame, frame: Frame): boolean {
  if (frame.channelId === previous.channelId) {
    return !previous.isLast && frame.number === previous.number + 1
  }
  return frame.number === 0 && previous.isLast
}
