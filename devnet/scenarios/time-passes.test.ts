import { expect, test } from 'vitest'
import { gameType } from '#fixtures/chain/constants'
import type { ScenarioContext } from './scenario-context.ts'
import { timePasses } from './time-passes.ts'

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const NOW = 1_000n

/** L1 with so many games of which only the newest waits: until it can be resolved. */
function contextWith(games: number): { context: ScenarioContext; mined: unknown[] } {
  const newest = addressOf(games - 1)
  const views: Record<string, (asked: { address: string; args: readonly bigint[] }) => unknown> = {
    gameCount: () => BigInt(games),
    gameAtIndex: ({ args: [index] }) => [gameType, 0n, addressOf(Number(index))],
    status: ({ address }) => (address === newest ? 0 : 2),
    expectedResolution: () => NOW + 500n,
    bondClaimed: () => true,
    withdrawals: () => [0n, 0n],
  }
  const mined: unknown[] = []
  const context = {
    contracts: { disputeGameFactory: addressOf(0) },
    rules: async () => ({}),
    rpc: {
      async request(method: string, params: unknown[]) {
        if (method === 'evm_mine') mined.push(...params)
        return { timestamp: NOW }
      },
    },
    l1: {
      getBlock: async () => ({ timestamp: NOW }),
      readContract: async (asked: { functionName: string; address: string; args: bigint[] }) =>
        views[asked.functionName]?.(asked) ?? 0n,
    },
  }
  return { context: context as unknown as ScenarioContext, mined }
}

test.each([1, 150, 1_200])(
  'given %i games of which the newest waits, then L1 moves on to its time',
  async (games) => {
    const { context, mined } = contextWith(games)
    expect(await timePasses.play(context)).toMatchObject({
      game: addressOf(games - 1),
      seconds: 500n,
      allows: 'resolve',
    })
    expect(mined).toEqual([{ timestamp: 1_500 }])
  },
)
