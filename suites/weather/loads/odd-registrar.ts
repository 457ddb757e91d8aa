import type { ApiRequest, World } from '#devnet/rollup/world/world'
import type { TrackedRequests } from './tracked-requests.ts'

const PATH = '/v1/agents/builder-codes'
const JSON_BODY = { 'content-type': 'application/json' }
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const WHO = 'client.9'

const posted = (body: string, headers = JSON_BODY): ApiRequest => ({
  ...{ method: 'POST', path: PATH, headers, body },
})
const asking = (walletAddress: unknown) => posted(JSON.stringify({ walletAddress }))

/** What the API refuses, by what is wrong with it. */
const ODD: readonly [what: string, request: ApiRequest][] = [
  ['no JSON', posted('{"walletAddress":')],
  [
    'plain text',
    posted(JSON.stringify({ walletAddress: WALLET }), { 'content-type': 'text/plain' }),
  ],
  ['no address', posted('{}')],
  ['a number', asking(5)],
  ['a digit too few', asking(WALLET.slice(0, -1))],
  // EIP-55: its last letters are mixed in another way.
  ['a wrong checksum', asking(WALLET.replace('Aed', 'aED'))],
  ['a body too long', asking(`0x${'1'.repeat(100_000)}`)],
  ['another method', { method: 'GET', path: PATH }],
  ['another path', { method: 'POST', path: `${PATH}/more`, headers: JSON_BODY, body: '{}' }],
]

/** Asks the builder-code API for what it has to refuse, one after the other. */
export class OddRegistrar {
  readonly #world: World
  readonly #requests: TrackedRequests
  #turn: number

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    this.#turn = world.facts.seed
  }

  async ask(): Promise<void> {
    const { clients, recorder } = this.#world
    const [about, request] = ODD[this.#turn++ % ODD.length]!
    const { result } = await this.#requests.ask(WHO, 'api', 'register', (signal) =>
      clients.api(request, signal),
    )
    if (!result) return
    const { status, body } = result as { status: number; body: string }
    recorder.record(WHO, 'registration.refused', { about, status, ...errorIn(body) })
  }
}

function errorIn(body: string): { code?: unknown; message?: unknown } {
  try {
    const { code, message } = Object(JSON.parse(body).error)
    return { code, message }
  } catch {
    return {}
  }
}
