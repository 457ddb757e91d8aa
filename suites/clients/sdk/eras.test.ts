import { expect } from 'vitest'
import { ERAS, type Era } from '#devnet/base/options/eras'
import { eras } from '#devnet/sdk/vitest/index'

const BASE_TIME = '0x4200000000000000000000000000000000000030'
/** Blocks of 200 ms tell their milliseconds, in what era and on which side of `cross()`. */
const FAST: Readonly<Record<Era, readonly [before: boolean, since: boolean]>> = {
  before: [false, false],
  across: [false, true],
  after: [true, true],
}
const seen: Era[] = []

eras.each(
  'given a test of all eras, when it crosses, then blocks of 200 ms begin where they should',
  async ({ era, client, clock, cross }) => {
    seen.push(era)
    const isFast = async () => 'timestampMs' in (await client.getBlock())
    // The first block of a chain has no second transaction to tell.
    await clock.seal()
    const before = await isFast()
    await cross()
    expect([before, await isFast()]).toEqual(FAST[era])
    const code = await client.getCode({ address: BASE_TIME })
    expect(code !== undefined).toBe(FAST[era][1])
  },
)

// As the page and the docstring show it.
eras.each('given a payment, then it outlives Denim', async ({ client, clock, wallet, cross }) => {
  const to = '0x000000000000000000000000000000000000bEEF'
  const hash = await wallet.sendTransaction({ to, value: 1n })
  const { blockNumber } = await client.waitForTransactionReceipt({ hash })
  await clock.seal() // before Denim the receipt may be a pre-confirmation
  await cross()
  expect((await client.getTransactionReceipt({ hash })).blockNumber).toBe(blockNumber)
  expect(await client.getBalance({ address: to })).toBe(1n)
})

eras.after('given eras, then each had its test', () => {
  expect(seen).toEqual([...ERAS])
})
