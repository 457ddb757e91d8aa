import type { TestActions } from '../viem/test-actions.ts'

/** What may go wrong with a test's chain. */
export interface ChainFaults {
  /** Other blocks take the place of the newest; what stood in them is gone. */
  reorganize(depth: number): Promise<void>
  /** The newest blocks are gone, and all pre-confirmations. */
  rollback(depth: number): Promise<void>
  /** Pre-confirmed transactions never come into a block. */
  dropPreconfirmations(): Promise<void>
}

export function chainFaults(client: Pick<TestActions, 'reorganize' | 'rollback'>): ChainFaults {
  return {
    reorganize: (depth) => client.reorganize({ depth }),
    rollback: (depth) => client.rollback({ depth }),
    dropPreconfirmations: () => client.rollback({ depth: 0 }),
  }
}
