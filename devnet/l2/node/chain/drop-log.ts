import type { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'

/** A transaction that neither waits nor stands in a block any more. */
export interface Drop {
  /** Counts up from 1 over the chain's life. */
  id: number
  hash: Hash
  code: string
  /** One sentence, or geth's words. */
  reason: string
}

const MAX_DROPS = 10_000

/** Which transactions a chain has dropped, and why: the newest ones. */
export class DropLog {
  readonly #byHash = new Map<Hash, Drop>()
  #lastId = 0

  add(hash: Hash, { code, message }: RollbedError): void {
    this.#byHash.delete(hash)
    this.#lastId += 1
    this.#byHash.set(hash, { id: this.#lastId, hash, code, reason: message })
    if (this.#byHash.size <= MAX_DROPS) return
    for (const [oldest] of this.#byHash) {
      this.#byHash.delete(oldest)
      break
    }
  }

  /** It was sent again. */
  forget(hash: Hash): void {
    this.#byHash.delete(hash)
  }

  of(hash: Hash): Drop | undefined {
    return this.#byHash.get(hash)
  }

  /** Those after this id, oldest first. */
  after(id: number): Drop[] {
    return [...this.#byHash.values()].filter((drop) => drop.id > id)
  }

  get lastId(): number {
    return this.#lastId
  }
}
