import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyReply } from 'fastify'
import { z } from 'zod'
import { type AccessOptions, guardAccess } from '#devnet/base/json-rpc/guard-access'
import { withoutSchemas } from '#devnet/base/json-rpc/without-schemas'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { portBusy } from '#devnet/base/process/port-busy'
import type { RecentList } from '#devnet/base/process/recent-list'
import { serveHealth } from '#devnet/base/process/serve-health'
import type { Health } from '#devnet/base/process/supervisor'
import { urlOf } from '#devnet/base/process/url-of'
import { FAULTS } from '#devnet/faults/fault-catalogue'
import type { ProofRecord } from '#devnet/proving/prover/proof-service'
import type { ActorRound } from '#devnet/rollup/start/start-actors'
import { roleKeys } from '#fixtures/chain/dev-keys'
import type { Hex } from '#protocol/types/bytes'
import { auditProof } from './audit-proof.ts'
import { pageFiles } from './page-files.ts'
import { readArtifacts } from './read-artifacts.ts'
import { readSources } from './read-sources.ts'

export interface Dashboard {
  url: string
  stop(): Promise<void>
}

export interface DashboardOptions {
  host: string
  port: number
  access?: AccessOptions | undefined
  /** Served at GET /healthz. */
  health?: (() => Health) | undefined
  /** What the page shows; its own address is added. */
  description: Omit<DevnetDescription, 'dashboardUrl'>
  /** Folder of compiled contracts, by which calls and logs are decoded. */
  artifacts?: string | undefined
  proofs: RecentList<ProofRecord>
  rounds: RecentList<ActorRound>
}

/** Addresses of the page, as in `page/app.tsx`; explorers of other chains have those with a parameter too. */
const PAGES = [
  ...[
    '/',
    '/blocks',
    '/block/:id',
    '/tx/:hash',
    '/debug/:hash',
    '/address/:address',
    '/accounts',
    '/transactions',
    '/contracts',
    '/pool',
  ],
  ...['/subscriptions', '/enclaves', '/proofs', '/proof/:id', '/games', '/actors', '/faults'],
  ...['/clock', '/requests', '/codes', '/search'],
]

/** Bytes of the codes that one transaction ran, in JSON. */
const MAX_CODES = 8 * 1024 * 1024
const CODES = z.array(
  z.strictObject({
    code: z
      .string()
      .regex(/^0x([0-9a-f]{2})*$/)
      .transform((text) => text as Hex),
    isCreation: z.boolean(),
  }),
)

/**
 * Serves the page that shows a devnet while it runs. The page reads the public endpoints itself; the
 * server hands out the page, the devnet's description (without the accounts' keys), and what only it
 * knows: proofs made, rounds of actors and their addresses, and what each fault does.
 *
 * @throws RollbedError PORT_BUSY, ARTIFACTS_MISSING
 */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { artifacts, proofs, rounds } = options
  const { accounts, ...description } = options.description
  // Said at the start rather than at the first look.
  if (artifacts) await readArtifacts(artifacts)
  const app = Fastify({ ...withoutSchemas, forceCloseConnections: true })
  guardAccess(app, options.access)
  if (options.health) serveHealth(app, options.health)
  const connect = Object.entries(description)
    .filter(([name, value]) => name.endsWith('Url') && value)
    .map(([, value]) => value)
  const policy = [
    ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self' data:"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    `connect-src 'self' ${connect.join(' ')}`,
  ].join('; ')
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
  const sendPage = async (_request: unknown, reply: FastifyReply) =>
    reply.type('text/html').send((await pageFiles()).html)
  for (const path of PAGES) app.get(path, sendPage)
  app.setNotFoundHandler((request, reply) => sendPage(request, reply.code(404)))
  app.get('/page.js', async (_request, reply) => {
    return reply.type('text/javascript').send((await pageFiles()).script)
  })
  app.get('/page.css', async (_request, reply) => {
    return reply.type('text/css').send((await pageFiles()).style)
  })
  app.get('/devnet.json', async () => {
    return { ...description, dashboardUrl: url(), accounts: accounts.map(({ address }) => address) }
  })
  app.get('/data/artifacts.json', async () => (artifacts ? await readArtifacts(artifacts) : []))
  app.post('/data/sources.json', { bodyLimit: MAX_CODES }, async ({ body }, reply) => {
    const asked = CODES.safeParse(body)
    if (!asked.success) return reply.code(400).send({ error: z.prettifyError(asked.error) })
    if (!artifacts) return asked.data.map(() => null)
    const sources = await readSources(artifacts)
    const found = asked.data.map(({ code, isCreation }) => sources.sourceOf(code, isCreation))
    return (await Promise.all(found)).map((source) => source ?? null)
  })
  app.get('/data/actors.json', async () => rounds.all())
  app.get('/data/faults.json', async () =>
    Object.entries(FAULTS).map(([name, { says, with: schema }]) => ({
      ...{ name, says },
      fields: z.toJSONSchema(schema, { io: 'input' }).properties,
    })),
  )
  app.get('/data/roles.json', async () =>
    (['proposer', 'challenger', 'registrar'] as const).map((role) => ({
      role,
      address: roleKeys[role].address,
    })),
  )
  app.get('/data/proofs.json', async () => proofs.all())
  app.get<{ Params: { id: string } }>('/data/proof/:id', async ({ params }, reply) => {
    const proof = proofs.find(Number(params.id))
    if (!proof) return reply.code(404).send({ error: 'No such proof is remembered.' })
    return { ...proof, audit: await auditProof(proof, description.enclaves) }
  })
  await app.listen({ host: options.host, port: options.port }).catch((error) => {
    throw portBusy(error, 'explorer', options.port)
  })
  const url = () => urlOf(options.host, (app.server.address() as AddressInfo).port)
  return { url: url(), stop: () => app.close() }
}
