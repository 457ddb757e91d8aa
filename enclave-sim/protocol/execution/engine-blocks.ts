import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { EngineBlock } from '../evm/engine-message.ts'
import type { ExecutionConfig } from '../types/execution-config.ts'
import { rulesAt } from '../upgrades/schedule.ts'
import type { Rules } from '../upgrades/upgrade-table.ts'
import type { BlockEnvironment } from './executor.ts'

/** What is the same for all messages of a block. */
interface KnownBlock {
  /** As the engine takes it. */
  block: EngineBlock
  rules: Rules
}

/** What messages see of their block, and what rules it has: the same object while the block is the same. */
export class EngineBlocks {
  readonly #config: ExecutionConfig
  #last: (KnownBlock & { environment: BlockEnvironment }) | undefined

  constructor(config: ExecutionConfig) {
    this.#config = config
  }

  of(environment: BlockEnvironment): KnownBlock {
    if (this.#last && looksAlike(this.#last.environment, environment)) return this.#last
    const { chainId, upgrades } = this.#config
    const block = {
      coinbase: hexToBytes(environment.feeRecipient),
      timestamp: environment.timestamp,
      number: environment.number,
      prevRandao: hexToBytes(environment.prevRandao),
      gasLimit: environment.gasLimit,
      chainId,
      baseFee: environment.baseFeePerGas,
      blobBaseFee: environment.blobBaseFee,
    }
    const rules = rulesAt(upgrades, environment.timestamp * 1000n)
    this.#last = { environment: { ...environment }, block, rules }
    return this.#last
  }
}

function looksAlike(a: BlockEnvironment, b: BlockEnvironment): boolean {
  return (
    a.number === b.number &&
    a.timestamp === b.timestamp &&
    a.feeRecipient === b.feeRecipient &&
    a.prevRandao === b.prevRandao &&
    a.gasLimit === b.gasLimit &&
    a.baseFeePerGas === b.baseFeePerGas &&
    a.blobBaseFee === b.blobBaseFee
  )
}
