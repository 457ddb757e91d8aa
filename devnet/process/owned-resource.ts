/** Something that must go away: a child process, a server, a socket, a temporary directory. */
export interface OwnedResource {
  stop(): Promise<void>
}

/** Stops what was added in reverse order, even when one of them fails. */
export class ResourceStack implements OwnedResource {
  #resources: OwnedResource[] = []
  #stopping: Promise<void> | undefined

  add<T extends OwnedResource>(resource: T): T {
    this.#resources.push(resource)
    return resource
  }

  defer(stop: () => Promise<void> | void): void {
    this.#resources.push({ stop: async () => stop() })
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
