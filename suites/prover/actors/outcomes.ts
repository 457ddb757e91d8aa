import type { Outcome } from '#devnet/actors/start-actor'

/** What an actor came to, and waiting for the first of a kind, or of several. */
export function outcomes() {
  const seen: Outcome[] = []
  let wake = () => {}
  return {
    add(outcome: Outcome) {
      seen.push(outcome)
      wake()
    },
    async first(...kinds: string[]): Promise<Outcome> {
      for (;;) {
        const found = seen.find((outcome) => kinds.includes(outcome.kind))
        if (found) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
