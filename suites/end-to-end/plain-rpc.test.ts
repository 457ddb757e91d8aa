import { expect, test } from 'vitest'
import { startDevnet } from '../../devnet/index.ts'
import { httpRpcClient } from '../../devnet/json-rpc/http-rpc-client.ts'

test('the endpoint without pre-confirmations has no simulateV1, and its pending is latest', async () => {
  await using devnet = await startDevnet({ plainRpc: true, manual: true, enclaves: 0 })
  const plain = httpRpcClient(devnet.description.plainRpcUrl!)
  const block = (tag: string) => plain.request('eth_getBlockByNumber', [tag, false])
  expect(await block('pending')).toEqual(await block('latest'))
  await expect(
    plain.request('eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest']),
  ).rejects.toMatchObject({ rpcCode: -32601 })
})
