import { expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import type { CaseContext } from '../conformance-case.ts'
import type { Driver, DriverTransaction } from '../drivers/driver.ts'
import { words } from '../reads/eth-call.ts'
import type { Hex } from '../wire/hex.ts'
import { sealedHistory, WRITTEN } from './sealed-history.ts'

const PROBES = new Proxy({}, { get: (_, name) => `0x${String(name).length.toString(16)}` })

/** A chain whose first block ends after the first transaction, and later ones after nine. */
function scatteringDriver() {
  const sent: (DriverTransaction & { hash: Hex; blockNumber: bigint })[] = []
  const driver: Partial<Driver> = {
    async send(transaction) {
      const blockNumber = sent.length < 1 ? 1n : 2n + BigInt(Math.floor((sent.length - 1) / 9))
      sent.push({ ...transaction, hash: `0x${sent.length}`, blockNumber })
      return sent.at(-1)!.hash
    },
    async blockStart() {},
    async sealed(hash) {
      const { blockNumber } = sent.find((each) => each.hash === hash)!
      const [blockHash, index, gasUsed, contract] = ['0x0' as Hex, 0, 0n, null]
      return { hash, blockNumber, blockHash, index, gasUsed, contract, succeeded: true }
    },
  }
  return { driver: driver as Driver, sent }
}

test('given a block that ended between its logs, when they are sent again, then the slot is not written again', async () => {
  const { driver, sent } = scatteringDriver()
  const context = {
    driver,
    clock: systemClock,
    scene: async () => PROBES,
  } as unknown as CaseContext
  const { first, writes } = await sealedHistory.build(context)
  expect(new Set(first.map(({ blockNumber }) => blockNumber)).size).toBe(1)
  const data = words(WRITTEN.slot, WRITTEN.first)
  const written = sent.filter((each) => each.data === data)
  expect(written.map(({ blockNumber }) => blockNumber)).toEqual([writes.first])
})
