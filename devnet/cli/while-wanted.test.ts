import { expect, test } from 'vitest'
import { whileWanted } from './while-wanted.ts'

test('given work that is done, then signals end the process again as they do without us', async () => {
  const before = process.listenerCount('SIGTERM')
  expect(await whileWanted(async () => process.listenerCount('SIGTERM'))).toBe(before + 1)
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
