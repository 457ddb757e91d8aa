import { expect, test } from 'vitest'
import { TravelClock } from '#protocol/clock/travel-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { CheatRpc } from '../cheat-rpc.ts'
import { rollbedIncreaseTime, rollbedSetTime } from './rollbed-time.ts'

const START = 1_700_000_000

test.each([
  ['rollbed_increaseTime', rollbedIncreaseTime, 60],
  ['rollbed_setTime', rollbedSetTime, START + 60],
] as const)(
  'given %s, when the devnet stops on the way, then the answer is an error that says how far time came',
  async (_, method, param) => {
    const machine = new VirtualClock(0)
    const time = new TravelClock({
      ...{ machine, start: START * 1000, isManual: true },
      settled: async () => {},
    })
    time.after(7_000, () => time.release())
    const answer = method({ time } as unknown as CheatRpc, [param], {
      signal: new AbortController().signal,
    })
    await expect(answer).rejects.toMatchObject({
      rpcCode: -32000,
      message: expect.stringMatching(/^TIME_CUT_SHORT: .* it is 1700000007 /),
    })
  },
)
