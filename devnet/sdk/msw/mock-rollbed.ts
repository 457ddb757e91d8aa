import { HttpResponse, http, type RequestHandler, type WebSocketHandler, ws } from 'msw'
import { createLogger } from '#devnet/base/create-logger'
import { dispatch } from '#devnet/base/json-rpc/dispatch'
import { dispatchOptions } from '#devnet/base/json-rpc/dispatch-options'
import { corsHeaders } from '#devnet/base/json-rpc/guard-access'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import type { L1Contracts, Profile } from '#devnet/base/options/devnet-description'
import { DEVNET_DEFAULTS } from '#devnet/base/options/devnet-options'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { createInlineWorkers } from '#devnet/l2/node/rpc/workers/call-workers'
import { beginRollup } from '#devnet/rollup/genesis/begin-rollup'
import { apiPart } from '#devnet/rollup/parts/api-part'
import { nodePart } from '#devnet/rollup/parts/node-part'
import { nodeRpcPart } from '#devnet/rollup/parts/node-rpc-part'
import { nodeView } from '#devnet/rollup/parts/node-view'
import { l1Methods } from '#devnet/rollup/world/l1/l1-methods'
import { startSimulatedL1 } from '#devnet/rollup/world/l1/simulated-l1'
import { methodsClient } from '#devnet/rollup/world/network/memory-rpc'
import { l1ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import type { Address, Hex } from '#protocol/types/bytes'

export interface MockRollbedOptions {
  /** What your code calls for the chain; WebSocket at the same host. @default 'http://rollbed.test' */
  rpcUrl?: string
  /** What your code calls for builder codes. @default 'http://codes.rollbed.test' */
  apiUrl?: string
  /** @default 84538453 */
  chainId?: number
  /** @default 'spec' */
  profile?: Profile
  /** Seconds between blocks. @default 2 */
  blockTime?: number
  /** Milliseconds between pre-confirmations. @default 200 */
  flashblockTime?: number
  /** Of the builder codes. @default 0 */
  seed?: number
  /** Default: the machine's. */
  clock?: Clock
}

export interface MockRollbed extends AsyncDisposable {
  /** For `setupServer(...handlers)` of `msw/node`. */
  readonly handlers: (RequestHandler | WebSocketHandler)[]
  readonly rpcUrl: string
  readonly wsUrl: string
  /** The same chain as deployed Base nodes show it. */
  readonly baseRpcUrl: string
  readonly apiUrl: string
  readonly chainId: number
  readonly l1ChainId: number
  /** Addresses on its L1, for `rollbedChain` of rollbed/viem. */
  readonly contracts: L1Contracts
  /** Ten with funds. */
  readonly accounts: readonly { address: Address; privateKey: Hex }[]
  /** No block is built any more. Idempotent. */
  stop(): Promise<void>
}

/**
 * Handlers for msw behind which a whole chain runs in this thread: the devnet's own node with real
 * execution, flashblocks and receipts, and its builder-code API. No process, no port, no file; for tests
 * of components and of code that calls a chain. In Node only.
 *
 * There is an L1 in it, for the chain to follow, but no batches and no prover: `safe` stays at genesis.
 *
 * @example
 * import { mockRollbed } from 'rollbed/msw'
 * import { setupServer } from 'msw/node'
 *
 * await using rollbed = await mockRollbed()
 * const server = setupServer(...rollbed.handlers)
 * server.listen()
 * const answer = await fetch(rollbed.rpcUrl, {
 *   method: 'POST',
 *   body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
 * })
 * console.log((await answer.json()).result)
 * server.close()
 */
export async function mockRollbed(options: MockRollbedOptions = {}): Promise<MockRollbed> {
  const {
    rpcUrl = 'http://rollbed.test',
    apiUrl = 'http://codes.rollbed.test',
    chainId = DEVNET_DEFAULTS.chainId,
    seed = DEVNET_DEFAULTS.seed,
    clock = systemClock,
  } = options
  const wsUrl = rpcUrl.replace(/^http/, 'ws')
  const [rpcRoot, wsRoot, apiRoot] = [rpcUrl, wsUrl, apiUrl].map(withoutSlash)
  const resources = new ResourceStack()
  try {
    const registry = openCodeRegistry(':memory:', seededRng(seed))
    resources.defer(() => registry.close())
    const { chain, contracts } = await startChain(
      options,
      { chainId, clock },
      resources,
      registry.walletOf,
    )
    const onNothing = { clock, looks: clock, links: {} }
    const api = apiPart.start(onNothing, { registry, logger: createLogger('silent') })
    resources.defer(() => api.close())
    await api.ready()
    const stop = () => resources.stop()
    return {
      handlers: [
        ...[`${rpcRoot}*`, `${apiRoot}/*`].map((url) =>
          http.options(url, ({ request }) => {
            return new HttpResponse(null, { status: 204, headers: forPages(request) })
          }),
        ),
        http.post(`${rpcRoot}*`, async ({ request }) => {
          const path = pathBelow(rpcRoot!, request.url)
          const text = await chain(path, await request.text(), request.signal)
          if (text === false) return new HttpResponse(null, { status: 404 })
          const headers = { ...forPages(request), 'content-type': 'application/json' }
          return new HttpResponse(text, { headers })
        }),
        socketHandler(wsRoot!, chain),
        http.all(`${apiRoot}/*`, async ({ request }) => {
          const { search } = new URL(request.url)
          const body = await request.text()
          const answer = await api.inject({
            method: request.method as 'POST',
            url: pathBelow(apiRoot!, request.url) + search,
            headers: { 'content-type': request.headers.get('content-type') ?? '' },
            ...(body && { payload: body }),
          })
          const { 'content-type': type = 'application/json' } = answer.headers
          return new HttpResponse(answer.body || null, {
            status: answer.statusCode,
            headers: { ...forPages(request), 'content-type': String(type) },
          })
        }),
      ],
      ...{ rpcUrl, wsUrl, baseRpcUrl: `${rpcRoot}/base`, apiUrl },
      ...{ chainId, l1ChainId, contracts, accounts: userKeys },
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await resources.stop()
    throw error
  }
}

/** In jsdom and happy-dom a test is a page of another origin and asks before it sends; the latter hides its origin. */
const forPages = ({ headers }: Request) =>
  corsHeaders({ origin: '*', ...Object.fromEntries(headers) })

/** Answers one message at a path; false where no view of the chain is there. */
type AnswerAt = (
  path: string,
  message: string,
  signal: AbortSignal,
  connection?: RpcConnection,
) => Promise<string | undefined> | string | undefined | false

async function startChain(
  { profile, blockTime = DEVNET_DEFAULTS.blockTime, flashblockTime }: MockRollbedOptions,
  { chainId, clock }: { chainId: number; clock: Clock },
  resources: ResourceStack,
  walletOf: (code: string) => Address | undefined,
): Promise<{ chain: AnswerAt; contracts: L1Contracts }> {
  const now = Math.floor(clock.now() / 1000)
  const l1 = resources.add(
    await startSimulatedL1({
      ...{ clock, rng: seededRng('l1'), chainId: l1ChainId },
      ...{ genesisTime: now - blockTime, blockTime, waits: true },
    }),
  )
  const l1RpcUrl = methodsClient(await l1Methods(l1, clock), clock)
  const { contracts, genesis } = await beginRollup(
    { rpcUrl: l1RpcUrl, mine: () => l1.mineAhead() },
    { fork: DEVNET_DEFAULTS.fork, blockTime, l2ChainId: chainId },
  )
  const context = { clock, looks: clock, links: { 'node-l1': l1RpcUrl } }
  const node = resources.add(
    await nodePart.start(context, { genesis, ...(flashblockTime && { flashblockTime }) }),
  )
  const view = nodeView(node, genesis.config)
  const workers = await createInlineWorkers(node.chain, view.config)
  const { methods, views } = await nodeRpcPart.start(context, {
    ...{ ...view, workers, walletOf, ...(profile && { profile }) },
  })
  const whole = dispatchOptions({ methods, clock })
  const answerAt: AnswerAt = (path, message, signal, connection) => {
    const methods = path === '/' ? whole.methods : views.at(path)
    const caller = { signal, ...(connection && { connection }) }
    return methods ? dispatch(message, caller, { ...whole, methods }) : false
  }
  return { chain: answerAt, contracts }
}

/** JSON-RPC with subscriptions. */
function socketHandler(wsRoot: string, chain: AnswerAt): WebSocketHandler {
  return ws.link(`${wsRoot}*`).addEventListener('connection', ({ client }) => {
    const caller = new AbortController()
    const closings: (() => void)[] = []
    const connection: RpcConnection = {
      notify: (method, params) => client.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
      onClose: (action) => void closings.push(action),
    }
    client.addEventListener('message', async ({ data }) => {
      const path = pathBelow(wsRoot, String(client.url))
      const text = await chain(path, String(data), caller.signal, connection)
      if (text) client.send(text)
      // A devnet takes no connection at such a path: who asked would wait for ever.
      if (text === false) client.close()
    })
    client.addEventListener('close', () => {
      caller.abort(new Error('The caller went away.'))
      for (const action of closings) action()
    })
  })
}

const withoutSlash = (url: string) => url.replace(/\/$/, '')

/** The path of a URL behind that of another, as the devnet's own URL would have it. */
const pathBelow = (root: string, url: string) =>
  new URL(url).pathname.slice(new URL(root).pathname.replace(/\/$/, '').length) || '/'
