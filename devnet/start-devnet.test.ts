import { expect, test } from 'vitest'
import { startDevnet } from './start-devnet.ts'

test('given L1 blocks faster than those of L2, which could never follow, then it does not start', async () => {
  await expect(startDevnet({ blockTime: 4, l1BlockTime: 2 })).rejects.toMatchObject({
    code: 'L1_TOO_FAST',
    message: expect.stringContaining('L2 falls behind for ever'),
  })
})
