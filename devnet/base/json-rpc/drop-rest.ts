import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'

/**
 * Reads what is left of a request and keeps nothing of it: who sends all before he reads would lose
 * the answer with the connection otherwise. How long that may take is the server's `requestTimeout`.
 */
export async function dropRest(request: IncomingMessage): Promise<void> {
  request.resume()
  await finished(request, { writable: false }).catch(() => {})
}
