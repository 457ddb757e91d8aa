/** The time that somebody gave L1's next block by `evm_setNextBlockTimestamp`. */
export class NextTimestamp {
  #seconds: number | undefined

  /** To be called for each request that anvil has carried out. */
  heard(method: string, params: readonly unknown[]): void {
    if (/^(evm|anvil)_setNextBlockTimestamp$/.test(method)) this.#seconds = Number(params[0])
    // Such a block has used it up.
    else if (/^(evm|anvil|hardhat)_mine/.test(method)) this.#seconds = undefined
  }

  /** In seconds, once: it counts for one block. */
  take(): number | undefined {
    const seconds = this.#seconds
    this.#seconds = undefined
    return seconds
  }
}
