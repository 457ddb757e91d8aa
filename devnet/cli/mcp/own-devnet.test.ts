import { expect, test } from 'vitest'
import { OwnDevnet } from './own-devnet.ts'

test('given a devnet that starts, then there is no second one, and a stop meanwhile ends it', async () => {
  const own = new OwnDevnet()
  const starting = own.start({ enclaves: 0 })
  await expect(own.start({ enclaves: 0 })).rejects.toMatchObject({ code: 'DEVNET_RUNS' })
  await own.end()
  expect(own.signal.aborted).toBe(true)
  const { rpcUrl } = (await starting).description
  await expect(fetch(rpcUrl, { method: 'POST' })).rejects.toThrow('fetch failed')
  expect(() => own.running).toThrow('No devnet runs')
})
