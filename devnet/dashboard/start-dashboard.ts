import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { DevnetDescription } from '../devnet-description.ts'
import { type AccessOptions, guardAccess } from '../json-rpc/guard-access.ts'
import { portBusy } from '../process/port-busy.ts'
import { serveHealth } from '../supervisor/serve-health.ts'
import type { Health } from '../supervisor/supervisor.ts'

export interface Dashboard {
  url: string
  stop(): Promise<void>
}

const FILES = {
  '/': ['dashboard.html', 'text/html'],
  '/dashboard.css': ['dashboard.css', 'text/css'],
  '/dashboard.js': ['dashboard.js', 'text/javascript'],
} as const

/**
 * Serves one page that shows heads, flashblocks and enclaves as they change. The page reads the
 * public endpoints itself; the server only hands out the page and the devnet's description (without
 * the accounts' keys).
 *
 * @throws RollbedError PORT_BUSY
 */
export async function startDashboard(options: {
  host: string
  port: number
  access?: AccessOptions | undefined
  /** Served at GET /healthz. */
  health?: (() => Health) | undefined
  /** What the page shows; its own address is added. */
  description: Omit<DevnetDescription, 'dashboardUrl'>
}): Promise<Dashboard> {
  const { accounts, ...description } = options.description
  const { rpcUrl, wsUrl } = description
  const app = Fastify({ forceCloseConnections: true })
  guardAccess(app, options.access)
  if (options.health) serveHealth(app, options.health)
  for (const [path, [file, type]] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => {
      return reply
        .header(
          'content-security-policy',
          `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self' ${rpcUrl} ${wsUrl}`,
        )
        .type(type)
        .send(await readFile(new URL(file, import.meta.url)))
    })
  }
  app.get('/devnet.json', async () => {
    return { ...description, dashboardUrl: url(), accounts: accounts.map(({ address }) => address) }
  })
  await app.listen({ host: options.host, port: options.port }).catch((error) => {
    throw portBusy(error, 'dashboard', options.port)
  })
  const url = () => `http://${options.host}:${(app.server.address() as AddressInfo).port}`
  return { url: url(), stop: () => app.close() }
}
