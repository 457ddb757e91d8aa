import type { FastifyInstance } from 'fastify'
import type { Health } from './supervisor.ts'

/** `GET /healthz`: 200 while all parts of the devnet run, 503 when one is dead or waits, and which. */
export function serveHealth(app: FastifyInstance, health: () => Health): void {
  app.get('/healthz', async (_request, reply) => {
    const { status, body } = healthAnswer(health())
    return reply.code(status).type('application/json').send(body)
  })
}

export function healthAnswer(health: Health): { status: number; body: string } {
  const waits = health.warnings.some((trouble) => trouble.waits) ? 'waiting' : 'ok'
  const status = health.dead.length > 0 ? 'dead' : waits
  return { status: status === 'ok' ? 200 : 503, body: JSON.stringify({ status, ...health }) }
}
