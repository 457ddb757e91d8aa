import { expect, test } from 'vitest'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { RequestLog } from './request-log.ts'

/** Logs one call of a method that answers nothing by itself. */
async function logged(method: RpcMethod, signal: AbortSignal) {
  const log = new RequestLog()
  const { slow } = log.watch({ slow: method }, new VirtualClock())
  await Promise.resolve(slow!([], { signal })).catch(() => {})
  return log.after(0)
}

test('given a caller that goes away before the answer, then the log says so, and tells no error that nobody was told', async () => {
  const caller = new AbortController()
  const givenUp: RpcMethod = async (_, { signal }) => {
    caller.abort(new Error('The caller went away.'))
    signal.throwIfAborted()
  }
  expect(await logged(givenUp, caller.signal)).toMatchObject([
    { method: 'slow', error: null, callerLeft: true },
  ])
})

test('given a method that breaks while its caller waits, then the log has what the caller was told', async () => {
  const broken: RpcMethod = async () => {
    throw new Error('a fault of ours')
  }
  expect(await logged(broken, new AbortController().signal)).toMatchObject([
    { error: { code: -32603, message: 'Internal error' }, callerLeft: false },
  ])
})
