import { expect, test } from 'vitest'
import { StopInTurn } from './stop-in-turn.ts'

test('given things to stop, when the block ends, then the last goes first, and one that fails keeps no other', async () => {
  const stopped: string[] = []
  const block = async () => {
    await using stops = new StopInTurn()
    stops.defer(() => stopped.push('first'))
    stops.defer(async () => {
      stopped.push('second')
      throw new Error('it would not')
    })
    stops.defer(() => stopped.push('third'))
  }
  await expect(block()).rejects.toThrow('it would not')
  expect(stopped).toEqual(['third', 'second', 'first'])
})
