import { ERAS, type Era, upgradesOf } from '#devnet/base/options/eras'
import type { TestFixtures } from '../scene/rollbed-fixtures.ts'
import { test } from './test.ts'

/** Seconds: no test lets so much time pass, and no worker lives so long. */
const FAR_AHEAD = 7 * 86_400
/** Blocks in which the second of the crossing must have come. */
const MOST_BLOCKS = 5

/** What a test of an era gets besides. */
export interface EraFixtures {
  era: Era
  /**
   * On the chain that crosses, lets time pass until its newest block is one of 200 ms; on the others it does
   * nothing. So one test can do something on each side.
   */
  cross(): Promise<void>
}

function eraTest(era: Era) {
  return test
    .extend({
      devnetOptions: [{ upgrades: upgradesOf(era, FAR_AHEAD) }, { scope: 'worker' }],
    })
    .extend<EraFixtures>({
      era,
      cross: async ({ client, clock, devnet }, use) => {
        const { denim } = devnet.description.upgrades ?? {}
        await use(async () => {
          if (era !== 'across' || typeof denim !== 'number') return
          const left = denim - Number(await clock.now())
          if (left > 0) await clock.advance(left)
          for (let blocks = 0; blocks < MOST_BLOCKS; blocks++) {
            if ('timestampMs' in (await client.getBlock())) return
            await clock.seal()
          }
        })
      },
    })
}

const tests = { before: eraTest('before'), across: eraTest('across'), after: eraTest('after') }

type Body = (fixtures: TestFixtures & EraFixtures) => Promise<void> | void

/**
 * Tests on Base as it was before blocks of 200 ms, on the day it changed, and as it is: `eras.before`,
 * `eras.across` and `eras.after` are vitest's `test` with a devnet of that era for each worker, and `eras.each`
 * runs one test on all three. Each has `era` and `cross()` besides the fixtures of `test`.
 *
 * `ROLLBED_URL` names a devnet of one era, which all three would run on: leave it out.
 *
 * @example
 * import { expect } from 'vitest'
 * import { eras } from 'rollbed/vitest'
 *
 * eras.each('given a payment, then it outlives Denim', async ({ client, clock, wallet, cross }) => {
 *   const to = '0x000000000000000000000000000000000000bEEF'
 *   const hash = await wallet.sendTransaction({ to, value: 1n })
 *   const { blockNumber } = await client.waitForTransactionReceipt({ hash })
 *   await clock.seal() // before Denim the receipt may be a pre-confirmation
 *   await cross()
 *   expect((await client.getTransactionReceipt({ hash })).blockNumber).toBe(blockNumber)
 *   expect(await client.getBalance({ address: to })).toBe(1n)
 * })
 */
export const eras = {
  ...tests,
  each(name: string, body: Body, timeout?: number): void {
    for (const era of ERAS) tests[era](`${name} (${era} Denim)`, body, timeout)
  },
}
