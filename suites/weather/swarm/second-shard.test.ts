import { test } from 'vitest'
import { expectCleanShard, SHARD_LIMIT } from './expect-clean-shard.ts'

test('given the second shard of a swarm, when it is played, then no run breaks what must hold', {
  timeout: SHARD_LIMIT,
}, async () => {
  await expectCleanShard(1)
})
