import type { Outcome } from '#devnet/actors/start-actor'

/** What an actor came to, and waiting for the first of a kind. */
export function outcomes() {
  const seen: Outcome[] = []
  let wake = () => {}
  return {
    add(outcome: Outcome) {
      seen.push(outcome)
      wake()
    },
    async first(kind: string): Promise<Outcome> {
      for (;;) {
        const found = seen.find((outcome) => outcome.kind === kind)
        if (found) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
