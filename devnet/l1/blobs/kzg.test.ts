import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createKzg } from './kzg.ts'

/** A blob of 4096 zeros. */
const ZEROS = new Uint8Array(131_072)

test('given a thread that failed, when it ends while another works, then who asked the other has his answer', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker) => void threads.push(thread)
  process.on('worker', note)
  const kzg = createKzg()
  const lost = kzg.commit(ZEROS)
  await new Promise(setImmediate)
  const [first] = threads
  first!.emit('error', new Error('out of memory'))
  await expect(lost).rejects.toMatchObject({ code: 'KZG_FAILED' })
  const answer = kzg.commit(ZEROS)
  await first!.terminate()
  expect(await answer).toHaveLength(48)
  await kzg.stop()
  process.off('worker', note)
})
