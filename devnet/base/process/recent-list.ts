/** The newest of something, oldest first. */
export class RecentList<T> {
  readonly #limit: number
  readonly #items: (T & { id: number })[] = []
  #lastId = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: T): void {
    this.#items.push({ ...item, id: ++this.#lastId })
    if (this.#items.length > this.#limit) this.#items.shift()
  }

  all(): readonly (T & { id: number })[] {
    return this.#items
  }

  find(id: number): (T & { id: number }) | undefined {
    return this.#items.find((item) => item.id === id)
  }
}
