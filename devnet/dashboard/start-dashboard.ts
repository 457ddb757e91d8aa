import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { DevnetDescription } from '../config.ts'
import { portBusy } from '../process/port-busy.ts'

export interface Dashboard {
  url: string
  stop(): Promise<void>
}

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
  describe: () => DevnetDescription
}): Promise<Dashboard> {
  const page = await readFile(new URL('dashboard.html', import.meta.url), 'utf8')
  const app = Fastify({ forceCloseConnections: true })
  app.get('/', (_request, reply) => {
    const { rpcUrl, wsUrl, proverUrl } = options.describe()
    const sources = ["'self'", rpcUrl, wsUrl, proverUrl].filter(Boolean).join(' ')
    return reply
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src ${sources}`,
      )
      .type('text/html')
      .send(page)
  })
  app.get('/devnet.json', async () => {
    const { accounts, ...description } = options.describe()
    return { ...description, accounts: accounts.map(({ address }) => address) }
  })
  await app.listen({ host: options.host, port: options.port }).catch((error) => {
    throw portBusy(error, 'dashboard', options.port)
  })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://${options.host}:${port}`, stop: () => app.close() }
}
