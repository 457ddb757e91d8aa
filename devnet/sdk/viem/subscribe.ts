import type { Chain, Client, Transport } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

interface Subscription {
  unsubscribe(): Promise<unknown>
}

/** What viem's WebSocket transport has, for any kind of subscription. */
interface SubscribingTransport {
  subscribe(subscription: {
    params: unknown[]
    onData(message: { result: unknown }): void
    onError(error: unknown): void
  }): Promise<Subscription>
}

/**
 * Subscribes at once and in the background, as viem's watchers do.
 * @returns ends the subscription
 * @throws RollbedError WEBSOCKET_NEEDED
 */
export function subscribe(
  client: Client<Transport, Chain | undefined>,
  params: [kind: string, options?: object],
  onData: (result: unknown) => void,
  onError: (error: Error) => void = () => {},
): () => void {
  const transport = client.transport as unknown as Partial<SubscribingTransport>
  if (!transport.subscribe) {
    throw new RollbedError('WEBSOCKET_NEEDED', `'${params[0]}' is sent over WebSocket only.`, {
      hint: 'Make the client with webSocket(description.wsUrl).',
    })
  }
  let isOver = false
  const guarded = (error: unknown) => {
    if (!isOver) onError(error as Error)
  }
  const subscribed = transport.subscribe({
    params,
    onData({ result }) {
      if (isOver) return
      try {
        onData(result)
      } catch (error) {
        guarded(error)
      }
    },
    onError: guarded,
  })
  subscribed.catch(guarded)
  return () => {
    isOver = true
    subscribed.then(({ unsubscribe }) => unsubscribe()).catch(() => {})
  }
}
