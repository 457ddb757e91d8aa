import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { ExchangeRecorder } from './exchange-recorder.ts'
import type { HttpClient } from './http-client.ts'
import { createJsonRpcClient, saysNothing } from './json-rpc-client.ts'

test.each([
  [-32601, 'no', false],
  [-32004, 'no', false],
  [-32602, 'no', true],
  [-32700, 'The method eth_simulateV1 does not exist/is not available', false],
])(
  'given an error of code %i that says %s, then whether the method is there is told: %s',
  async (code, message, isThere) => {
    const json = { jsonrpc: '2.0', id: 1, error: { code, message } }
    const http = { url: 'unused', send: async () => ({ json }) } as unknown as HttpClient
    const recorder = new ExchangeRecorder(new VirtualClock())
    await createJsonRpcClient(http, recorder).call('eth_simulateV1')
    expect(recorder.methods.get('eth_simulateV1')).toBe(isThere)
  },
)

test.each([
  [{ code: -32000, message: 'execution aborted (timeout = 5s)' }, true],
  [{ code: -32005, message: 'too many requests' }, true],
  [{ code: -32000, message: 'too many requests' }, false],
  [{ code: -32000, message: 'no block under construction' }, false],
  [undefined, false],
])(
  'given the error %o, then it says nothing of what the answer would be: %s',
  (error, expected) => {
    expect(saysNothing(error)).toBe(expected)
  },
)
