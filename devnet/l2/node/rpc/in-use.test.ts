import { expect, test } from 'vitest'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import { inUse } from './in-use.ts'

/** A branch that opens when the test says so, and a caller who may leave before. */
function scene() {
  const opened = Promise.withResolvers<void>()
  const caller = new AbortController()
  const ends: (() => void)[] = []
  const seen = { users: 0, asked: 0 }
  const branches = {
    async use() {
      seen.users += 1
      await opened.promise
      return () => {
        seen.users -= 1
      }
    },
  }
  const connection: RpcConnection = { notify: () => {}, onClose: (action) => ends.push(action) }
  const ask = () => {
    seen.asked += 1
    return 'answer'
  }
  const { ask: askInUse } = inUse(branches, '1', { ask })
  const close = () => {
    caller.abort(new Error('The caller went away.'))
    for (const end of ends.splice(0)) end()
  }
  return {
    ...{ seen, close, open: opened.resolve },
    call: async () => askInUse!([], { signal: caller.signal, connection }),
  }
}

test('given a connection that has asked, then it holds the branch until it closes', async () => {
  const { seen, call, open, close } = scene()
  open()
  expect(await call()).toBe('answer')
  expect(await call()).toBe('answer')
  expect(seen.users).toBe(1)
  close()
  expect(seen.users).toBe(0)
})

test('given a connection that closes while the branch opens, then nobody holds the branch, and nothing is asked of it', async () => {
  const { seen, call, open, close } = scene()
  const calls = [call(), call()]
  const ended = Promise.allSettled(calls)
  close()
  open()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(seen).toEqual({ users: 0, asked: 0 })
})
