import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { BaseLogger } from 'pino'
import { dropRest } from '#devnet/base/json-rpc/drop-rest'
import { type AccessOptions, guardAccess } from '#devnet/base/json-rpc/guard-access'
import { withoutSchemas } from '#devnet/base/json-rpc/without-schemas'
import { portBusy } from '#devnet/base/process/port-busy'
import { serveHealth } from '#devnet/base/process/serve-health'
import type { Health } from '#devnet/base/process/supervisor'
import { urlOf } from '#devnet/base/process/url-of'
import type { CodeRegistry } from './code-registry.ts'
import { openApiDocument } from './open-api-document.ts'
import { parseWalletAddress } from './parse-wallet-address.ts'

export const REGISTRATION_PATH = '/v1/agents/builder-codes'
const MAX_BODY_BYTES = 16 * 1024

export interface BuilderCodeApi {
  url: string
  /** Finishes requests in flight, then closes the listener. The registry stays open. */
  stop(): Promise<void>
}

export interface BuilderCodeApiOptions {
  registry: CodeRegistry
  /** Told the cause of what callers see as a 500. */
  logger?: Pick<BaseLogger, 'error'> | undefined
  access?: AccessOptions | undefined
  /** Served at GET /healthz. */
  health?: (() => Health) | undefined
  /** Told with each registration whether it could be stored: why not, or `undefined`. */
  onWaits?: ((reason: Error | undefined) => void) | undefined
}

/**
 * Serves `POST /v1/agents/builder-codes` (BC-01…14) and its OpenAPI document at `/openapi.json`.
 * First registration answers 201, later ones 200; bad input 400, 405, 413 or 415 with
 * `{error: {code, message}}` (OPEN-41).
 *
 * @throws RollbedError PORT_BUSY
 */
export async function startBuilderCodeApi(
  options: BuilderCodeApiOptions & { host: string; port: number },
): Promise<BuilderCodeApi> {
  return await listenForCodes(createBuilderCodeApi(options), options)
}

/**
 * Serves what `createBuilderCodeApi` made.
 * @param where port 0: a free one
 * @throws RollbedError PORT_BUSY
 */
export async function listenForCodes(
  app: FastifyInstance,
  where: { host: string; port: number },
): Promise<BuilderCodeApi> {
  const { host } = where
  await app.listen({ host, port: where.port }).catch((error) => {
    throw portBusy(error, 'builder-code API', where.port)
  })
  const { port } = app.server.address() as AddressInfo
  return { url: urlOf(host, port), stop: () => app.close() }
}

/** The same without a listener. */
export function createBuilderCodeApi(options: BuilderCodeApiOptions): FastifyInstance {
  const app = Fastify({
    ...withoutSchemas,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 60_000,
    forceCloseConnections: true,
  })
  guardAccess(app, options.access)
  if (options.health) serveHealth(app, options.health)
  app.removeContentTypeParser('text/plain')
  const refuse = (code: string, message: string) => ({ error: { code, message } })

  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status === 413) await dropRest(request.raw)
    if (!refusals[status]) {
      options.logger?.error({ err: error }, 'builder-code API failed')
      options.onWaits?.(error)
    }
    const [code, message] = refusals[status] ?? [
      'INTERNAL',
      'The registration could not be stored.',
    ]
    return reply.code(refusals[status] ? status : 500).send(refuse(code, message))
  })
  app.setNotFoundHandler((request, reply) => {
    if (request.url.split('?')[0] === REGISTRATION_PATH) {
      return reply
        .code(405)
        .header('allow', 'POST')
        .send(refuse('METHOD_NOT_ALLOWED', 'Register with POST.'))
    }
    return reply
      .code(404)
      .send(refuse('NOT_FOUND', `There is only POST ${REGISTRATION_PATH} and GET /openapi.json.`))
  })

  app.get('/openapi.json', async () => openApiDocument)
  app.post(REGISTRATION_PATH, async (request, reply) => {
    const parsed = parseWalletAddress(request.body)
    if ('problem' in parsed) {
      return reply.code(400).send(refuse('INVALID_WALLET_ADDRESS', parsed.problem))
    }
    const { builderCode, walletAddress, created } = await options.registry.register(parsed.wallet)
    // A wallet that is known proves nothing of the disk.
    if (created) options.onWaits?.(undefined)
    return reply.code(created ? 201 : 200).send({ builderCode, walletAddress })
  })

  return app
}

const refusals: Record<number, [code: string, message: string]> = {
  400: ['INVALID_JSON', 'The body is not valid JSON.'],
  413: ['BODY_TOO_LARGE', `The body may have at most ${MAX_BODY_BYTES} bytes.`],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
}
