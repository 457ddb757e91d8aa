import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { EngineBlock } from '../evm/engine-message.ts'
import type { BlockEnvironment } from './executor.ts'

/** What messages see of their block, as the engine takes it: the same object while the block is the same. */
export class EngineBlocks {
  readonly #chainId: bigint
  #last: { environment: BlockEnvironment; block: EngineBlock } | undefined

  constructor(chainId: bigint) {
    this.#chainId = chainId
  }

  of(environment: BlockEnvironment): EngineBlock {
    if (this.#last && looksAlike(this.#last.environment, environment)) return this.#last.block
    const block = {
      coinbase: hexToBytes(environment.feeRecipient),
      timestamp: environment.timestamp,
      number: environment.number,
      prevRandao: hexToBytes(environment.prevRandao),
      gasLimit: environment.gasLimit,
      chainId: this.#chainId,
      baseFee: environment.baseFeePerGas,
      blobBaseFee: environment.blobBaseFee,
    }
    this.#last = { environment: { ...environment }, block }
    return block
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
