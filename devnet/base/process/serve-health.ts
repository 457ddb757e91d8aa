import type { FastifyInstance } from 'fastify'
import type { Health } from './supervisor.ts'

/** `GET /healthz`: 200 while all parts of the devnet run, 503 when one is dead, and which. */
export function serveHealth(app: FastifyInstance, health: () => Health): void {
  app.get('/healthz', async (_request, reply) => {
    const { status, body } = healthAnswer(health())
    return reply.code(status).type('application/json').send(body)
  })
}

export function healthAnswer(health: Health): { status: number; body: string } {
  const isWell = health.dead.length === 0
  const body = JSON.stringify({ status: isWell ? 'ok' : 'dead', ...health })
  return { status: isWell ? 200 : 503, body }
}
