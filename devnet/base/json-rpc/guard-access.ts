import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Who may call a service, beside programs and pages on this machine. */
export interface AccessOptions {
  /**
   * Names that callers may know the service by (their Host header), beside loopback names and the
   * address that they reached; `*` for all. Default none.
   */
  allowHosts?: readonly string[] | undefined
  /**
   * Origins whose pages may call, as `https://preview.example`, beside those on loopback and browser
   * extensions, which no site can pass for; `*` for all. Default none.
   */
  allowOrigins?: readonly string[] | undefined
}

const ANY = '*'
const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/

/** An answer to a request that is not read. */
export interface Refusal {
  /** Of HTTP. */
  status: 400 | 403 | 404 | 415
  /** A code, and one sentence with what would let the request in. */
  message: string
}

/**
 * Why a request is refused, in one sentence that names the flag which would let it in. A page of a
 * foreign site must not reach a service on the developer's machine: neither by its own name (Origin)
 * nor by a name of its own that leads to this machine, as DNS rebinding does (Host). Programs send no
 * Origin. Of two Host fields Node.js shows the first, and what stands between may have read the second.
 */
export function accessRefusal(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>,
  access: AccessOptions = {},
): Refusal | undefined {
  const { host = '', origin } = request.headers
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length
  if (hosts > 1)
    return {
      status: 400,
      message: `HOST_TWICE: A request names its host once, but this one has ${hosts} Host fields. Send one.`,
    }
  if (!isAllowedHost(host, request.socket.localAddress, access.allowHosts ?? []))
    return {
      status: 403,
      message: `HOST_REFUSED: This service is not called '${printable(host)}' here. Use localhost, or start with --allow-host and that name.`,
    }
  if (!isAllowedOrigin(origin, access.allowOrigins ?? []))
    return {
      status: 403,
      message: `ORIGIN_REFUSED: Pages of '${printable(origin!)}' may not call this service. Start with --allow-origin and that origin to let them.`,
    }
  return undefined
}

/** A body that would have to be unpacked is not read: a small one can hold a very large one. */
export function encodingRefusal(headers: IncomingHttpHeaders): Refusal | undefined {
  const { 'content-encoding': encoding = '' } = headers
  if (/^(identity)?$/i.test(encoding)) return undefined
  return {
    status: 415,
    message: `ENCODING_REFUSED: A body in '${printable(encoding)}' is not unpacked here. Send it as it is, without Content-Encoding.`,
  }
}

/** Refuses a WebSocket upgrade, over the wire. */
export function refuseUpgrade(stream: Duplex, { status, message }: Refusal): void {
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${message}\n`
  // The server no longer counts it among its connections: a peer that keeps its half open would hold it.
  stream.end(text, () => stream.destroy())
}

/** What lets the page of an allowed origin read an answer. Source: Fetch standard, "CORS protocol". */
export function corsHeaders(
  headers: IncomingHttpHeaders,
  access: AccessOptions = {},
): Record<string, string> {
  const { origin } = headers
  if (origin === undefined) return {}
  const answer: Record<string, string> = { 'access-control-allow-origin': origin, vary: 'origin' }
  if (headers['access-control-request-method'] === undefined) return answer
  answer['access-control-allow-methods'] = 'POST, GET, OPTIONS'
  answer['access-control-allow-headers'] =
    headers['access-control-request-headers'] ?? 'content-type'
  answer['access-control-max-age'] = '86400'
  // Pages on loopback need no leave to call loopback: asked for means allowed by name.
  if (headers['access-control-request-private-network'] && isListed(origin, access.allowOrigins))
    answer['access-control-allow-private-network'] = 'true'
  return answer
}

/** Keeps foreign pages out of a service, and answers the preflight of the others. */
export function guardAccess(app: FastifyInstance, access: AccessOptions = {}): void {
  app.addHook('onRequest', async (request, reply) => {
    const refusal = accessRefusal(request.raw, access) ?? encodingRefusal(request.headers)
    if (refusal) return reply.code(refusal.status).type('text/plain').send(`${refusal.message}\n`)
    reply.headers(corsHeaders(request.headers, access))
    if (request.method === 'OPTIONS') return reply.code(204).send()
  })
}

function isAllowedHost(
  host: string,
  reached: string | undefined,
  allowed: readonly string[],
): boolean {
  const name = URL.parse(`http://${host}`)?.hostname
  if (!name) return allowed.includes(ANY)
  if (isLoopback(name) || allowed.includes(ANY)) return true
  // A service told to listen on an address is called by it. IPv4 comes mapped over an IPv6 socket.
  const address = name.replace(/^\[|\]$/g, '')
  if (isIP(address) && address === reached?.replace(/^::ffff:/, '')) return true
  return allowed.some((it) => it.toLowerCase() === name)
}

function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined || isListed(origin, allowed)) return true
  if (EXTENSION.test(origin)) return true
  const { protocol, hostname } = URL.parse(origin) ?? {}
  return /^https?:$/.test(protocol ?? '') && isLoopback(hostname ?? '')
}

function isListed(origin: string, allowed: readonly string[] = []): boolean {
  return allowed.includes(ANY) || allowed.some((it) => URL.parse(it)?.origin === origin)
}

/** Names that a browser resolves to this machine without asking. Source: RFC 6761, RFC 1122. */
function isLoopback(name: string): boolean {
  return name === '[::1]' || /^(.+\.)?localhost$/.test(name) || /^127(\.\d+){3}$/.test(name)
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x21-\x7e]/g, '?')
}
