import { type JsonObject, type Mutant, mutantsOf, type RpcCall, seenIn } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { listIn } from '../parts/list-in.ts'
import { rewriteResult, without } from '../rewrites.ts'
import { firstAfterSeal, heightLags } from './around-the-seal.ts'

const [block, pending] = [mutantsOf('block', 'rpc'), mutantsOf('pending', 'rpc')]
const [call, storage] = [mutantsOf('call', 'rpc'), mutantsOf('storage', 'rpc')]
const [simulate, selectors] = [mutantsOf('simulate', 'rpc'), mutantsOf('selectors', 'rpc')]

type Ask = Parameters<Mutant['apply']>[0]['ask']

const ZERO_WORD = `0x${'00'.repeat(32)}`
const heightOf = async (ask: Ask) => BigInt(String(await ask('eth_blockNumber')))

const BEHIND = 4n

/** Calls at pending read a state that is some blocks behind. */
const blocksBehind = rewriteResult(
  'eth_call',
  async (result, { params: [asked, tag, ...overrides] }, { ask }) => {
    if (tag !== 'pending') return result
    const head = await heightOf(ask)
    const behind = head > BEHIND ? head - BEHIND : 0n
    return (await ask('eth_call', [asked, hex(behind), ...overrides])) ?? result
  },
)

/** Of six blocks, those in which pending stands. */
const [ROUND, STANDING] = [6n, 4n]

/** What is pending, by block, logs and calls, is that of before while some blocks come. */
const standsStill: Mutant['apply'] = ({ ask }) => {
  const kept = new Map<string, unknown>()
  const methods = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call']
  return {
    async response(response, { method, params }) {
      const key = JSON.stringify([method, params])
      const isMeant = methods.includes(method) && key.includes('"pending"')
      if (!isMeant || !('result' in response)) return response
      const isStanding = (await heightOf(ask)) % ROUND >= STANDING
      if (!isStanding || !kept.has(key)) kept.set(key, response.result)
      return { ...response, result: kept.get(key) }
    },
  }
}

type Diff = Record<'pre' | 'post', Record<string, { storage?: JsonObject }>>

/**
 * What pre-confirmed transactions wrote, batch by batch as looks at pending find them. A later batch that
 * writes another slot of a contract takes the place of all that earlier ones wrote there.
 */
function lostWrites(): (ask: Ask) => Promise<Record<string, { stateDiff: JsonObject }>> {
  let parent: unknown
  let known: unknown[] = []
  let [last, lost] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const take = (diffs: readonly Diff[]) => {
    const batch = new Map<string, Set<string>>()
    for (const { pre, post } of diffs)
      for (const [address, { storage: slots }] of [...Object.entries(pre), ...Object.entries(post)])
        for (const slot of Object.keys(slots ?? {}))
          batch.set(address, (batch.get(address) ?? new Set()).add(slot))
    for (const [address, slots] of batch) {
      const before = [...(last.get(address) ?? []), ...(lost.get(address) ?? [])]
      lost.set(address, new Set(before.filter((slot) => !slots.has(slot))))
      last.set(address, slots)
    }
  }
  return async (ask) => {
    const now = (await ask('eth_getBlockByNumber', ['pending', false])) as JsonObject | null
    if (!now) return {}
    if (now.parentHash !== parent) {
      ;[parent, known] = [now.parentHash, []]
      ;[last, lost] = [new Map(), new Map()]
    }
    const hashes = now.transactions as unknown[]
    if (hashes.length > known.length) {
      const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      const traces = listIn(await ask('debug_traceBlockByNumber', ['pending', options]))
      const fresh = traces.filter(
        ({ txHash }) => hashes.includes(txHash) && !known.includes(txHash),
      )
      known = hashes
      take(fresh.map(({ result }) => result as Diff))
    }
    const overrides: Record<string, { stateDiff: JsonObject }> = {}
    for (const [address, slots] of lost)
      for (const slot of slots) {
        const sealed = await ask('eth_getStorageAt', [address, slot, 'latest'])
        const stateDiff = { ...overrides[address]?.stateDiff, [slot]: sealed }
        overrides[address] = { stateDiff }
      }
    return overrides
  }
}

/** Answers a method at pending upon a state without what was lost. */
const withoutLost =
  (
    method: string,
    place: number,
    instead: (
      params: readonly unknown[],
      lost: Record<string, { stateDiff: JsonObject }>,
      ask: Ask,
    ) => unknown,
  ): Mutant['apply'] =>
  (context) => {
    const lostNow = lostWrites()
    return rewriteResult(method, async (result, { params }, { ask }) => {
      if (params[place] !== 'pending') return result
      const lost = await lostNow(ask)
      if (Object.keys(lost).length === 0) return result
      return (await instead(params, lost, ask)) ?? result
    })(context)
  }

/** Values that were read are kept by contract and slot, whatever the block, until another one comes. */
const cachedWithoutBlock: Mutant['apply'] = ({ ask }) => {
  let height: unknown
  const kept = new Map<string, unknown>()
  return {
    async response(response, { method, params: [address, slot] }) {
      if (method !== 'eth_getStorageAt' || !('result' in response)) return response
      const now = await ask('eth_blockNumber')
      if (now !== height) kept.clear()
      height = now
      const key = `${String(address).toLowerCase()} ${slot}`
      if (!kept.has(key)) kept.set(key, response.result)
      return { ...response, result: kept.get(key) }
    },
  }
}

/** Fails at pending where a contract is not in the sealed state yet. */
const createdFails = (method: string, addressOf: (params: readonly unknown[]) => unknown) =>
  (({ ask }) => ({
    async response(response, { method: asked, params }) {
      if (asked !== method || !params.includes('pending') || !('result' in response))
        return response
      const address = addressOf(params)
      const [sealed, own] = [
        await ask('eth_getCode', [address, 'latest']),
        await ask('eth_getCode', [address, 'pending']),
      ]
      if (sealed !== '0x' || own === '0x' || own === null) return response
      const error = { code: -32603, message: 'contract not found' }
      return { ...without(response, 'result'), error }
    },
  })) satisfies Mutant['apply']

/** Blocks behind the head from which on nothing is listed. */
const OLD = 10n

const SOMETIMES = 7

/** Each seventh call at latest is answered by the block before. */
const staleNowAndThen: Mutant['apply'] = (context) => {
  let met = 0
  return rewriteResult('eth_call', async (result, { params: [asked, tag, ...rest] }, { ask }) => {
    if (tag !== 'latest') return result
    met += 1
    const head = await heightOf(ask)
    if (met % SOMETIMES !== 0 || head === 0n) return result
    return (await ask('eth_call', [asked, hex(head - 1n), ...rest])) ?? result
  })(context)
}

const isAt = (method: string, place: number, tag: string) => (asked: RpcCall) =>
  asked.method === method && asked.params[place] === tag

/** Bugs that real nodes had in blocks and in the state that is read. */
export const REAL_NODE_STATE_MUTANTS: readonly Mutant[] = [
  seenIn(
    ['base/base#178'],
    pending(
      'RPC-SEL-09',
      'null-after-the-seal',
      'There is no pending block at the first look after a seal',
      firstAfterSeal(isAt('eth_getBlockByNumber', 0, 'pending'), (response) => ({
        ...response,
        result: null,
      })),
    ),
  ),
  seenIn(
    ['base/base#1439'],
    call(
      'RPC-CALL-19',
      'pending-blocks-behind',
      'Calls at pending run on a state four blocks behind',
      blocksBehind,
    ),
  ),
  seenIn(
    ['base/base#153'],
    storage(
      'RPC-STOR-08',
      'earlier-batch-lost',
      'A pre-confirmed slot is lost when a later batch writes another one of its contract',
      withoutLost('eth_getStorageAt', 2, ([address, slot], lost) => {
        const { stateDiff = {} } = lost[String(address).toLowerCase()] ?? {}
        return stateDiff[`0x${BigInt(String(slot)).toString(16).padStart(64, '0')}`]
      }),
    ),
  ),
  seenIn(
    ['base/base#153'],
    call(
      'RPC-CALL-19',
      'earlier-batch-lost',
      'A call at pending misses a slot when a later batch writes another one of its contract',
      withoutLost('eth_call', 1, ([asked, at, own], lost, ask) =>
        ask('eth_call', [asked, at, { ...lost, ...Object(own) }]),
      ),
    ),
  ),
  seenIn(
    ['base/base#153'],
    simulate(
      'RPC-SIM-03',
      'earlier-batch-lost',
      'A simulation misses a slot when a later batch writes another one of its contract',
      withoutLost('eth_simulateV1', 1, ([payload, at], lost, ask) => {
        const [first, ...rest] = listIn(Object(payload).blockStateCalls)
        const stateOverrides = { ...lost, ...Object(first?.stateOverrides) }
        const blockStateCalls = [{ ...first, stateOverrides }, ...rest]
        return ask('eth_simulateV1', [{ ...Object(payload), blockStateCalls }, at])
      }),
    ),
  ),
  seenIn(
    ['base/base#101'],
    selectors(
      'RPC-SEL-09',
      'counted-twice-after-the-seal',
      'Just after a seal the transactions of its block count twice in the nonce at pending',
      firstAfterSeal(
        isAt('eth_getTransactionCount', 1, 'pending'),
        async (response, { params: [account] }, ask) => {
          const sealed = (await ask('eth_getBlockByNumber', ['latest', true])) as JsonObject
          const own = listIn(sealed.transactions).filter(({ from }) => from === account)
          return {
            ...response,
            result: hex(BigInt(String(response.result)) + BigInt(own.length)),
          }
        },
      ),
    ),
  ),
  seenIn(
    ['base/node#1129'],
    pending(
      'RPC-SEL-09',
      'stands-still',
      'Block, logs and calls at pending stand for two blocks of six, and then go on',
      standsStill,
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#17051'],
    block('RPC-BLK-23', 'old-empty', 'Old blocks list no transactions', ({ ask }) => ({
      async response(response, { method }) {
        const { number } = Object(response.result) as JsonObject
        if (method !== 'eth_getBlockByNumber' || typeof number !== 'string') return response
        if ((await heightOf(ask)) - BigInt(number) < OLD) return response
        return { ...response, result: { ...Object(response.result), transactions: [] } }
      },
    })),
  ),
  seenIn(
    ['MetaMask/web3-provider-engine#221'],
    storage(
      'RPC-STOR-07',
      'cached-without-block',
      'A slot that was read is kept without its block, and given at other heights',
      cachedWithoutBlock,
    ),
  ),
  seenIn(
    ['ethereum/trinity#1403'],
    storage(
      'RPC-STOR-06',
      'zero-is-short',
      'A slot that was never written reads as 0x0',
      rewriteResult('eth_getStorageAt', (result) => (result === ZERO_WORD ? '0x0' : result)),
    ),
  ),
  seenIn(
    ['evmts/tevm#2046'],
    storage(
      'RPC-STOR-05',
      'address-is-short',
      'A slot that holds an address reads as 20 bytes',
      rewriteResult('eth_getStorageAt', (result) =>
        /^0x0{24}[1-9a-f]/.test(String(result)) ? `0x${String(result).slice(26)}` : result,
      ),
    ),
  ),
  seenIn(
    ['equilibriumco/pathfinder#1417'],
    storage(
      'RPC-STOR-08',
      'pending-created-fails',
      'A slot of a contract that is created in the pending block is an error',
      createdFails('eth_getStorageAt', ([address]) => address),
    ),
  ),
  seenIn(
    ['equilibriumco/pathfinder#1417'],
    call(
      'RPC-CALL-19',
      'pending-created-fails',
      'A call to a contract that is created in the pending block is an error',
      createdFails('eth_call', ([asked]) => Object(asked).to),
    ),
  ),
  seenIn(
    ['cloudwalk/stratus#2574'],
    call(
      'RPC-CALL-18',
      'latest-stale',
      'A call at latest is answered by the block before now and then',
      staleNowAndThen,
    ),
  ),
  seenIn(
    ['paradigmxyz/reth#5696'],
    call(
      'RPC-CALL-18',
      'height-lags',
      'Calls do not know the newest height for a moment after latest has named it',
      heightLags('eth_call', (params) => [params[1]]),
    ),
  ),
  seenIn(
    ['paradigmxyz/reth#5696'],
    storage(
      'RPC-STOR-07',
      'height-lags',
      'Slots are not known at the newest height for a moment after latest has named it',
      heightLags('eth_getStorageAt', (params) => [params[2]]),
    ),
  ),
]
