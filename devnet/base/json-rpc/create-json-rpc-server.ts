import { Readable } from 'node:stream'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { portBusy } from '../process/port-busy.ts'
import { serveHealth } from '../process/serve-health.ts'
import { answerPieces, PIECE } from './answer-pieces.ts'
import { asRpcError, type DispatchOptions, dispatch, errorObject } from './dispatch.ts'
import { dispatchOptions } from './dispatch-options.ts'
import { type DispatchingAt, dispatchingAt } from './dispatching-at.ts'
import { dropRest } from './drop-rest.ts'
import { guardAccess } from './guard-access.ts'
import { HeldBytes } from './held-bytes.ts'
import { JsonRpcError } from './json-rpc-error.ts'
import type { JsonRpcServer, JsonRpcServerOptions, RpcViews } from './json-rpc-server.ts'
import { LargeBodies } from './large-bodies.ts'
import { serveFastLane } from './serve-fast-lane.ts'
import { serveInProcess } from './serve-in-process.ts'
import { serveWebSockets } from './serve-web-sockets.ts'
import { UnfinishedRequests } from './unfinished-requests.ts'
import { withoutSchemas } from './without-schemas.ts'

const MEGABYTE = 1024 * 1024

/**
 * JSON-RPC 2.0 over HTTP POST on `/` and the paths of `views`, and over WebSocket on the same port when
 * asked. The envelope
 * follows rules RPC-ENV-* and OPEN-01; every JSON-RPC error travels with HTTP 200.
 *
 * @throws PORT_BUSY, LISTEN_FAILED; `listen` does
 * @example
 * const server = createJsonRpcServer({ methods: { ping: () => 'pong' }, clock: systemClock })
 * const port = await server.listen({ port: 0 })
 */
export function createJsonRpcServer(options: JsonRpcServerOptions): JsonRpcServer {
  const { clock, maxBodyBytes = 15 * 1024 * 1024, closeGrace = 5_000 } = options
  const largeBodies = new LargeBodies({ clock })
  const dispatching = { ...dispatchOptions(options), largeBodies }
  const { onCaller } = options
  const dispatchAt = dispatchingAt(dispatching, options.views)
  const at: DispatchingAt = (path) => {
    onCaller?.()
    return dispatchAt(path)
  }
  const unfinished = new UnfinishedRequests(options.maxUnfinishedInAll)
  const unsent = new HeldBytes(options.maxUnsentInAll ?? 176 * MEGABYTE, 64 * MEGABYTE)
  const app = Fastify({
    ...withoutSchemas,
    bodyLimit: maxBodyBytes,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
  })
  guardAccess(app, options.access)
  app.addHook('onRequest', async ({ raw }, reply) => unfinished.overHttp(raw, reply.raw))
  if (options.health) serveHealth(app, options.health)
  serveCalls(app, { ...options, dispatchingAt: at, maxBodyBytes, unsent })
  serveGetProxies(app, options.getProxies ?? {}, dispatching)
  const fastLane = serveFastLane(app.server, {
    clock,
    dispatchingAt: at,
    access: options.access,
    maxBodyBytes,
    unsent,
  })
  const sockets = options.webSocket
    ? serveWebSockets(app.server, {
        dispatchingAt: at,
        access: options.access,
        unsent,
        unfinished,
        maxMessageBytes: maxBodyBytes,
        maxUnsentBytes: options.maxUnsentBytes ?? 16 * 1024 * 1024,
      })
    : undefined

  const inProcess = serveInProcess(at)

  let closing: Promise<void> | undefined
  // A connection that would stay open for its next call would keep the server from closing.
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  return {
    connect: inProcess.connect,
    async listen({ host = '127.0.0.1', port }) {
      try {
        await app.listen({ host, port })
      } catch (error) {
        await app.close()
        throw portBusy(error, options.service ?? 'JSON-RPC server', port)
      }
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    close() {
      closing ??= (async () => {
        const impatience = clock.after(closeGrace, () => {
          app.server.closeAllConnections()
          fastLane.closeNow()
        })
        inProcess.close()
        await sockets?.close()
        const closed = app.close()
        fastLane.close()
        await closed
        impatience.cancel()
        await largeBodies.stop()
      })()
      return closing
    },
  }
}

interface CallsOptions extends Pick<JsonRpcServerOptions, 'views' | 'onInternalError'> {
  dispatchingAt: DispatchingAt
  maxBodyBytes: number
  unsent: HeldBytes
}

function serveCalls(app: FastifyInstance, options: CallsOptions): void {
  const { maxBodyBytes, unsent } = options
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error.statusCode === 413) {
      await dropRest(request.raw)
      return bodyTooBig(reply, maxBodyBytes)
    }
    if (error.statusCode === 415) return wrongContentType(reply)
    const status = error.statusCode ?? 500
    if (status >= 500) options.onInternalError?.(error, 'http')
    return reply
      .code(status)
      .type('text/plain')
      .send(status >= 500 ? 'Internal error' : error.message)
  })
  app.post('*', async (request, reply) => {
    const dispatching = options.dispatchingAt(pathOf(request))
    if (!dispatching) return nothingHere(reply, options.views)
    const body = (request.body ?? '') as Buffer | string
    if (!body.length && request.headers['content-type'] === undefined) {
      return wrongContentType(reply)
    }
    const own = unsent.open(() => reply.raw.destroy())
    reply.raw.once('close', own.end)
    const context = { signal: signalOf(reply), unsent: own }
    const answer = await dispatch(body, context, dispatching)
    own.add(answer?.length ?? 0)
    reply.type('application/json')
    if (!answer || answer.length <= PIECE) return reply.send(answer ?? '')
    reply.header('content-length', Buffer.byteLength(answer))
    return reply.send(Readable.from(answerPieces(answer), { objectMode: false }))
  })
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: '*',
    handler: (request, reply) =>
      options.dispatchingAt(pathOf(request))
        ? reply
            .code(405)
            .header('allow', 'POST')
            .type('text/plain')
            .send('Only POST is served here.')
        : nothingHere(reply, options.views),
  })
}

function serveGetProxies(
  app: FastifyInstance,
  proxies: Readonly<Record<string, string>>,
  dispatching: DispatchOptions,
): void {
  for (const [path, name] of Object.entries(proxies)) {
    app.get(path, async (_request, reply) => {
      reply.type('application/json')
      const context = { signal: signalOf(reply) }
      try {
        const result = await dispatching.methods[name]?.(undefined, context)
        return reply.send(JSON.stringify(result ?? null))
      } catch (error) {
        const body = errorObject(asRpcError(error, name, dispatching, context))
        return reply.code(500).send(JSON.stringify(body))
      }
    })
  }
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]!
}

function nothingHere(reply: FastifyReply, views: RpcViews | undefined) {
  const paths = ['/', ...(views?.paths ?? [])].join(', ')
  return reply
    .code(404)
    .type('text/plain')
    .send(`Nothing is served at this path; calls go to ${paths}.`)
}

function signalOf(reply: FastifyReply): AbortSignal {
  const caller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) caller.abort(new Error('The caller went away.'))
  })
  return caller.signal
}

function bodyTooBig(reply: FastifyReply, limit: number) {
  const error = new JsonRpcError(-32007, 'Request is too big', `The limit is ${limit} bytes.`)
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: errorObject(error) })
  return reply.code(413).type('application/json').send(body)
}

function wrongContentType(reply: FastifyReply) {
  return reply.code(415).type('text/plain').send('Content-Type must be application/json.')
}
