import Fastify from 'fastify'
import { type AccessOptions, guardAccess } from '#devnet/base/json-rpc/guard-access'
import { withoutSchemas } from '#devnet/base/json-rpc/without-schemas'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { portBusy } from '#devnet/base/process/port-busy'
import type { Registry } from '#devnet/base/prometheus'

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
