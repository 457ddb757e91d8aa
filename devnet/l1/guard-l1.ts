import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type AccessOptions, accessRefusal, corsHeaders } from '../json-rpc/guard-access.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { portBusy } from '../process/port-busy.ts'
import { healthAnswer } from '../supervisor/serve-health.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'

const LOOPBACK = '127.0.0.1'

/**
 * Stands before anvil, which itself lets pages of any site call it: passes on JSON-RPC, WebSocket and
 * beacon API of those who may reach this machine's services. Requests that anvil no longer answers get
 * an error that names it.
 *
 * @throws PORT_BUSY, LISTEN_FAILED
 */
export async function guardL1(options: {
  /** Where anvil listens, on loopback. */
  anvilPort: number
  host: string
  port: number
  access?: AccessOptions | undefined
  supervisor: Supervisor
}): Promise<OwnedResource & { readonly url: string }> {
  const { anvilPort, host, access, supervisor } = options
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const refusal = accessRefusal(request, access)
    if (refusal) return void response.writeHead(403, TEXT).end(`${refusal}\n`)
    const cors = corsHeaders(request.headers, access)
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    if (request.method === 'GET' && request.url === '/healthz') {
      const { status, body } = healthAnswer(supervisor.health())
      return void response.writeHead(status, { ...JSON_TYPE, ...cors }).end(body)
    }
    passOn(request, response, cors, { agent, port: anvilPort })
  })
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const refusal = accessRefusal(request, access)
    if (refusal) return void stream.end(`${requestRefused}${refusal}\n`)
    sockets.add(stream.once('close', () => sockets.delete(stream)))
    joinSocket(request, stream, head, anvilPort)
  })
  server.listen(options.port, host)
  await once(server, 'listening').catch((error) => {
    throw portBusy(error, 'L1', options.port)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await closed
    },
  }
}

const TEXT = { 'content-type': 'text/plain' }
const JSON_TYPE = { 'content-type': 'application/json' }
const requestRefused =
  'HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n'

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  cors: Record<string, string>,
  upstream: { agent: Agent; port: number },
): void {
  const { method, url, headers } = request
  const forward = open({ host: LOOPBACK, ...upstream, method, path: url, headers })
  forward.on('response', (answer) => {
    const own = Object.entries(answer.headers).filter(([name]) => !/^access-control-/.test(name))
    response.writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(own), ...cors })
    answer.pipe(response)
  })
  forward.on('error', () => {
    if (response.headersSent) return void response.destroy()
    response.writeHead(503, { ...JSON_TYPE, ...cors }).end(L1_DEAD)
  })
  response.on('close', () => forward.destroy())
  request.pipe(forward)
}

const L1_DEAD = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message: 'L1 does not answer: anvil has ended.' },
})

function joinSocket(request: IncomingMessage, stream: Duplex, head: Buffer, port: number): void {
  const anvil = connect(port, LOOPBACK)
  const lines = request.rawHeaders.map((word, index) => word + (index % 2 ? '\r\n' : ': '))
  anvil.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
  anvil.write(head)
  stream.pipe(anvil).pipe(stream)
  anvil.on('error', () => stream.destroy())
  anvil.on('close', () => stream.destroy())
  stream.on('close', () => anvil.destroy())
}
