import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tiny JSON-RPC server that says what a test tells it to. */
export interface ScriptedTarget {
  url: string
  /** Bodies of the requests so far. */
  seen: string[]
  stop(): Promise<void>
}

/**
 * Answers every POST with what `answer` gives for the parsed body, or each call of a batch; undefined hangs for ever.
 * @param inBatch what becomes of the answers to a batch
 */
export async function startScriptedTarget(
  answer: (call: { id: unknown; method: string; params: unknown[] }) => unknown,
  inBatch: (answers: unknown[]) => unknown = (answers) => answers,
): Promise<ScriptedTarget> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      seen.push(body)
      const call = parse(body)
      if (call === undefined) return response.writeHead(400).end()
      const reply = Array.isArray(call) ? inBatch(call.map((each) => answer(each))) : answer(call)
      if (reply !== undefined) response.end(JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A sealed block at height 5, enough for the runner to begin. */
export const TIP = { number: '0x5', hash: `0x${'05'.repeat(32)}` }
