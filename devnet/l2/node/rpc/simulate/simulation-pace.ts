import { setImmediate } from 'node:timers/promises'
import { bigIntMax, bigIntMin } from '@ethereumjs/util'
import type { CallOutcome } from '#protocol/execution/executor'
import { intrinsicGas } from '#protocol/execution/intrinsic-gas'

/**
 * How far a simulation may go where others wait for it: in gas, which is the same however busy the machine is. Gas
 * that a message costs by its form takes no time and does not count.
 */
export interface PaceLimits {
  /** That each call may use. */
  each: bigint
  /** That all calls together may use. */
  all: bigint
  /** That may be used before others have their turn. */
  atOnce: number
}

/** What a call and a block take beside their opcodes, in gas that takes as long. */
const CALL = 10_000
const BLOCK = 20_000

/** Counts what one simulation has used, and tells when it is time that others have their turn. */
export class SimulationPace {
  readonly #limits: PaceLimits
  #left: bigint
  #sinceTurn = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
    this.#left = limits.all
  }

  /** Gas that the next call may use; beyond, the simulation is to be given up. */
  get budget(): bigint {
    return bigIntMin(this.#limits.each, this.#left)
  }

  /** A call has run. @returns what to wait for, if others are to have their turn */
  afterCall(
    message: Parameters<typeof intrinsicGas>[0],
    { maxUsedGas }: CallOutcome,
  ): Promise<unknown> | undefined {
    const used = maxUsedGas - intrinsicGas(message).gas
    this.#left = bigIntMax(this.#left - used, 0n)
    return this.#after(Math.max(CALL, Number(used)))
  }

  /** The same of a block. */
  afterBlock(): Promise<unknown> | undefined {
    return this.#after(BLOCK)
  }

  #after(work: number): Promise<unknown> | undefined {
    this.#sinceTurn += work
    if (this.#sinceTurn < this.#limits.atOnce) return undefined
    this.#sinceTurn = 0
    return setImmediate()
  }
}
