import { expect, test } from 'vitest'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { batchInbox } from '#fixtures/chain/constants'

test.each([
  { batchInterval: 60_000, minutes: 6, gap: 60 },
  // No sooner than L1 has blocks, and not with one left out: a lattice of postings on that of L1.
  { batchInterval: 2_000, minutes: 2, gap: 2 },
])(
  'given batches each $batchInterval ms, when $minutes minutes pass, then so much lies between any two on L1',
  async ({ batchInterval, minutes, gap }) => {
    await using world = await startSimulatedWorld({ batchInterval, actors: false })
    await world.runUntil(minutes * 60_000)
    const times: number[] = []
    for (let number = 1n; ; number++) {
      const block = world.l1.blockByNumber(number)
      if (!block) break
      const { header, transactions } = block
      if (transactions.some(({ to }) => to === batchInbox)) times.push(Number(header.timestamp))
    }
    const gaps = times.slice(1).map((time, index) => time - times[index]!)
    expect(times.length).toBeGreaterThan(3)
    expect(new Set(gaps)).toEqual(new Set([gap]))
  },
)
