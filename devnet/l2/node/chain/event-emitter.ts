/** Typed events. A listener that fails disturbs neither the others nor the one who emits. */
export class EventEmitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>()
  readonly #onFailure: (error: unknown, event: keyof Events) => void

  constructor(onFailure: (error: unknown, event: keyof Events) => void) {
    this.#onFailure = onFailure
  }

  /** Returns the function that ends the subscription. */
  on<K extends keyof Events>(event: K, listener: (value: Events[K]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    // One entry per subscription, even when the same function subscribes twice.
    const entry = (value: Events[K]) => listener(value)
    listeners.add(entry)
    return () => listeners.delete(entry)
  }

  /** Calls the listeners in the order in which they came. */
  emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(value as never)
      } catch (error) {
        this.#onFailure(error, event)
      }
    }
  }
}
