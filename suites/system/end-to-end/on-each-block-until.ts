import type { PublicClient } from 'viem'

/** Asks `done` after every new head of a WebSocket client until it says yes. */
export function onEachBlockUntil(
  client: PublicClient,
  done: () => Promise<boolean>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const unwatch = client.watchBlocks({
      emitOnBegin: true,
      onBlock: () => {
        done().then((yes) => {
          if (!yes) return
          unwatch()
          resolve()
        }, reject)
      },
      onError: reject,
    })
  })
}
