import { JsonText } from '#devnet/base/json-rpc/json-text'

/** Characters of the texts kept; at most twice as many are in memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024

type Texts = WeakMap<object, Map<string, string>>

/**
 * JSON of what never changes: blocks, snapshots of the block being built, receipts, logs. A text lives
 * no longer than the object that it shows, and is made again if nobody asked for it for long.
 */
export class KeptJson {
  readonly #maxCharacters: number
  #recent: Texts = new WeakMap()
  #older: Texts = new WeakMap()
  #characters = 0

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters
  }

  /**
   * @param view tells apart different texts of one object
   * @param make is called when the text is not there
   */
  text(of: object, view: string, make: () => unknown): string {
    const kept = this.#recent.get(of)?.get(view)
    if (kept !== undefined) return kept
    const text = this.#older.get(of)?.get(view) ?? JSON.stringify(make())
    if (this.#characters + text.length > this.#maxCharacters) {
      this.#older = this.#recent
      this.#recent = new WeakMap()
      this.#characters = 0
    }
    const texts = this.#recent.get(of) ?? new Map<string, string>()
    this.#recent.set(of, texts.set(view, text))
    this.#characters += text.length
    return text
  }

  /** The same, as a result. */
  result(of: object, view: string, make: () => unknown): JsonText {
    return new JsonText(this.text(of, view, make))
  }
}
