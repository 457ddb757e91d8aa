import { afterEach, expect, test, vi } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startDevnet } from '#devnet/start-devnet'

afterEach(() => vi.restoreAllMocks())

test('given a devnet in a test of somebody, when its chain leaves L1 again and again, then the log says so in a sentence, once', async () => {
  const heard: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => heard.push(String(text)) > 0)
  await using devnet = await startDevnet({ blockTime: 1, enclaves: 0 })
  const { request } = httpRpcClient(devnet.description.rpcUrl)
  for (let time = 0; time < 2; time++) {
    const snapshot = await request('evm_snapshot', [])
    await request('evm_setNextBlockTimestamp', [2_000_000_000])
    await request('evm_mine', [])
    await request('evm_revert', [snapshot])
  }
  expect(heard.filter((line) => line.includes('left L1'))).toEqual([
    expect.stringMatching(
      /^warning: The chain left L1: no later block becomes safe, is proven or withdrawn, and anvil_metadata names the way out \(since \d+, cause timestamp\)\.\n$/,
    ),
  ])
})
