import Fastify from 'fastify'
import type { Registry } from 'prom-client'
import { type AccessOptions, guardAccess } from '../json-rpc/guard-access.ts'
import { withoutSchemas } from '../json-rpc/without-schemas.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { portBusy } from '../process/port-busy.ts'

export interface MetricsServer extends OwnedResource {
  readonly url: string
}

/** GET /metrics in the Prometheus text format, on a listener of its own. @throws PORT_BUSY */
export async function serveMetrics(
  registry: Registry,
  listen: { host: string; port: number },
  service = 'prover host',
  access?: AccessOptions,
): Promise<MetricsServer> {
  const app = Fastify({ ...withoutSchemas, forceCloseConnections: true })
  guardAccess(app, access)
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  try {
    const origin = await app.listen(listen)
    return { url: `${origin}/metrics`, stop: () => app.close() }
  } catch (error) {
    await app.close()
    throw portBusy(error, `metrics of the ${service}`, listen.port)
  }
}
