import { expect, test } from 'vitest'
import { RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { l1Client } from './l1-client.ts'
import { plainError } from './plain-error.ts'

const refuse = (code: number, message: string) =>
  l1Client({
    async request(method) {
      throw new RpcRefused(method, { code, message })
    },
  })
    .getBalance({ address: '0x0000000000000000000000000000000000000001' })
    .catch(plainError)

test('given a call that the L1 node refuses, then its own words are in the error', async () => {
  expect(await refuse(-32602, 'block height is 7 but requested was 8')).toMatchObject({
    code: 'L1_CALL_FAILED',
    message: expect.stringContaining('block height is 7 but requested was 8'),
  })
})

test('given an error of ours, then it is the same', () => {
  const ours = plainError(new Error('a plain one'))
  expect(plainError(ours)).toBe(ours)
  expect(ours).toMatchObject({ code: 'ACTOR_FAILED', message: 'a plain one' })
})
