/** Something that must go away: a child process, a server, a socket, a temporary directory. */
export interface OwnedResource {
  stop(): Promise<void>
}

/**
 * Stops what was added in reverse order, even when one of them fails. What is added after that (by a
 * start that was under way) is stopped at once.
 * @example
 * const resources = new ResourceStack()
 * try {
 *   const l1 = resources.add(await startL1({ clock, genesisTime, blockTime: 2 }))
 * } finally {
 *   await resources.stop()
 * }
 */
export class ResourceStack implements OwnedResource {
  #resources: OwnedResource[] = []
  #stopping: Promise<void> | undefined

  add<T extends OwnedResource>(resource: T): T {
    this.#own(resource)
    return resource
  }

  defer(stop: () => Promise<void> | void): void {
    this.#own({ stop: async () => stop() })
  }

  #own(resource: OwnedResource): void {
    if (!this.#stopping) {
      this.#resources.push(resource)
      return
    }
    const before = this.#stopping
    this.#stopping = resource.stop().then(
      () => before,
      // The first failure is the one that is reported.
      (error) => before.then(() => Promise.reject(error)),
    )
    // Who called stop() may have its answer already.
    this.#stopping.catch(() => {})
  }

  /** Idempotent. Rejects with the first failure after everything was tried. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    const failures: unknown[] = []
    for (const resource of this.#resources.splice(0).reverse()) {
      await resource.stop().catch((error) => failures.push(error))
    }
    if (failures.length) throw failures[0]
  }
}
