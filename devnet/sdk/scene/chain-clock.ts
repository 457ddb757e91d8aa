import type { Client } from 'viem'
import type { TestActions } from '../viem/test-actions.ts'

/** The time of a test's chain. */
export interface ChainClock {
  /** Timestamp of the newest block, seconds. */
  now(): Promise<bigint>
  /** Lets so many seconds pass at once. Returns the timestamp of the block that was sealed for it. */
  advance(seconds: number): Promise<bigint>
  /** Blocks are sealed by `seal()` alone; pre-confirmations go on. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Pre-confirms what waits, at once. */
  flashblock(): Promise<void>
  seal(): Promise<void>
}

export function chainClock(client: Client & TestActions & Blocks): ChainClock {
  return {
    now: async () => (await client.getBlock({ blockTag: 'latest' })).timestamp,
    advance: (seconds) => client.advanceTime({ seconds }),
    pause: () => client.pauseBlocks(),
    resume: () => client.resumeBlocks(),
    async flashblock() {
      await client.flashblock()
    },
    async seal() {
      await client.seal()
    },
  }
}

interface Blocks {
  getBlock(parameters: { blockTag: 'latest' }): Promise<{ timestamp: bigint }>
}
