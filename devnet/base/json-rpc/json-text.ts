/** A result that is JSON already: it goes to the caller as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** What JSON.stringify makes of it as a part of something else. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}
