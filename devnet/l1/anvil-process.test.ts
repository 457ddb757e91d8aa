import { expect, test } from 'vitest'
import { httpRpcClient } from '../json-rpc/http-rpc-client.ts'
import { AnvilProcess } from './anvil-process.ts'

test('given anvils that start at the same time, when one is stopped, then it is that one, and none is left behind', async () => {
  const anvils = [1, 2, 3].map((chainId) => new AnvilProcess({ chainId, port: 0 }))
  await Promise.all(anvils.map((anvil) => anvil.start()))
  expect(new Set(anvils.map(({ pid }) => pid)).size).toBe(3)

  const chainIdAt = (port: number) =>
    httpRpcClient(`http://127.0.0.1:${port}`).request('eth_chainId', [])
  const ports = anvils.map(({ port }) => port)
  await anvils[1]!.stop()
  expect(await Promise.all([chainIdAt(ports[0]!), chainIdAt(ports[2]!)])).toEqual(['0x1', '0x3'])
  await expect(chainIdAt(ports[1]!)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })

  const ended = Promise.all(anvils.map(({ exited }) => exited))
  await Promise.all(anvils.map((anvil) => anvil.stop()))
  await ended
})
