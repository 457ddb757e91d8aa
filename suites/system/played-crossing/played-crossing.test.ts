import { expect, test } from 'vitest'
import { playCrossing } from './play-crossing.ts'

/** Two minutes of a devnet: every night, and not with every commit. */
const isNight = process.env.ROLLBED_DRAW === 'all'

test.runIf(isNight)(
  'given a devnet on which a dapp, a follower, a proposer, a challenger and the gate work, when it crosses, then none of them loses anything',
  { timeout: 600_000 },
  async () => {
    const { first, dapp, follower, proposer, challenger, gate } = await playCrossing()
    expect(dapp.errors).toEqual([])
    expect(dapp.paid).toBe(BigInt(dapp.sent))
    const { before, since } = dapp
    expect([before, since].every(({ payments }) => payments > 0)).toBe(true)
    expect(before.messages.newFlashblocks).toBeGreaterThan(0)
    expect([since.preconfirmed, since.messages.newFlashblocks]).toEqual([0, 0])
    expect(follower.difference).toBeNull()
    expect(follower.compared).toBeGreaterThan(first)
    const { games } = proposer
    expect(games.some(({ start, block }) => start < first && block >= first)).toBe(true)
    expect(games.some(({ start }) => start >= first)).toBe(true)
    expect(challenger.kinds).not.toHaveProperty('nullified')
    expect(gate.cases.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  },
)
