import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A node that calls itself anvil, as the one at `/plain` does: Hardhat's helpers, which each of the tests
 * uses, serve no other but their own. Everything else it answers as the node at `target` does.
 */
export async function serveAsAnvil(target: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const asked = await textOf(request)
    const { id, method } = JSON.parse(asked) as { id?: unknown; method?: string }
    response.setHeader('content-type', 'application/json')
    if (method === 'web3_clientVersion') {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 'anvil/v1.7.1' }))
      return
    }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body: asked })
    response.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
