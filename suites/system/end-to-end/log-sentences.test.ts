import { afterEach, expect, test, vi } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startDevnet } from '#devnet/start-devnet'

afterEach(() => vi.restoreAllMocks())

test('given a devnet in a test of somebody, when its chain leaves L1, then the log says so in a sentence', async () => {
  const heard = new Promise<string>((resolve) => {
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      resolve(String(text))
      return true
    })
  })
  const times = { blockTime: 1, l1BlockTime: 1, batchInterval: 100 }
  await using devnet = await startDevnet({ ...times, enclaves: 0 })
  const account = '0x00000000000000000000000000000000000000aa'
  await httpRpcClient(devnet.description.rpcUrl).request('anvil_setBalance', [account, '0x7'])

  expect(await heard).toMatch(
    /^warning: The chain left L1: safe stands still \(since \d+, cause state\)\.\n$/,
  )
})
