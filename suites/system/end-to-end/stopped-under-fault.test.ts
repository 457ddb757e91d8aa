import { expect, test } from 'vitest'
import { startDevnet } from '#devnet/start-devnet'

test('given gas that is dear on L1, when the devnet stops, then the fault is taken back first', async () => {
  const devnet = await startDevnet({ enclaves: 0, faults: true, logLevel: 'silent' })
  const { faults } = devnet
  await faults!.inject('chain:l1', 'gas_spike')
  await devnet.stop()
  expect(faults!.list()).toEqual([])
})
