import type { FaultName } from '#devnet/faults/fault-catalogue'

/** What a world can do to one target. */
export interface Place {
  target: string
  faults: readonly FaultName[]
}
