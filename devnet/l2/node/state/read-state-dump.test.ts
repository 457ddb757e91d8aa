import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { readStateDump } from './read-state-dump.ts'

const outOfMemory = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })

test.each([
  ['has no heap left', outOfMemory, { code: 'STATE_DUMP_TOO_LARGE' }],
  ['makes too long a string', new RangeError('length'), { code: 'STATE_DUMP_TOO_LARGE' }],
  ['has a bug', new TypeError('a bug'), { message: 'a bug' }],
])(
  'given a thread that %s while it reads a dump, then the error says so',
  async (_, error, said) => {
    process.once('worker', (thread: Worker) => thread.emit('error', error))
    await expect(readStateDump('0x', async () => {}, new VirtualClock())).rejects.toMatchObject(
      said,
    )
  },
)
