import type { FastifyInstance } from 'fastify'

/**
 * Lets pages of any origin call us: this is a tool on the developer's own machine, and dapps are
 * served from another port. Source: Fetch standard, "CORS protocol".
 */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return
    reply
      .header('access-control-allow-methods', 'POST, GET, OPTIONS')
      .header(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? 'content-type',
      )
      .header('access-control-max-age', '86400')
    if (request.headers['access-control-request-private-network']) {
      reply.header('access-control-allow-private-network', 'true')
    }
    return reply.code(204).send()
  })
}
