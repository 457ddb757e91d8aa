import { expect, test, vi } from 'vitest'
import { startDevnet } from '#devnet/start-devnet'
import { testScene } from './test-scene.ts'

test('given a devnet that was not started for faults, when a test injects one, then it reads which option of a test does it', async () => {
  await using devnet = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  await using branch = await devnet.branch()
  const { faults, close } = testScene(devnet.description, branch)
  const refused = faults.inject({ target: 'l1', fault: 'still' })
  await expect(refused).rejects.toThrow(/devnetOptions \{ faults: true \}/)
  await close()
})

test('given a scene, then each of its parts is made once, and its connection ends with it though nothing was asked', async () => {
  await using devnet = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  await using branch = await devnet.branch()
  const close = vi.fn()
  const inProcess = () => ({ send() {}, close })
  const scene = testScene(devnet.description, { ...branch, inProcess })
  await scene.close()
  expect(close).toHaveBeenCalledTimes(1)
  expect(scene.client).toBe(scene.client)
  expect(scene.wallet).toBe(scene.wallet)
  expect(scene.faults).toBe(scene.faults)
})

test('given an index that no account has, then there is no wallet of it', async () => {
  await using devnet = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  await using branch = await devnet.branch()
  const { walletOf, close } = testScene(devnet.description, branch)
  for (const index of [-1, 0.5, devnet.description.accounts.length]) {
    const code = 'NO_SUCH_ACCOUNT'
    expect(() => walletOf(index)).toThrow(expect.objectContaining({ code }))
  }
  await close()
})
