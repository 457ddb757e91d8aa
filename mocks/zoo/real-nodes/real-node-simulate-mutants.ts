import { headerHash } from '#suites/gate/conformance/spec/header'
import { type JsonObject, type Mutant, mutantsOf, type RpcCall, seenIn } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { listIn } from '../parts/list-in.ts'
import { answerInstead, rewriteFirst, rewriteResult, without } from '../rewrites.ts'

const simulate = mutantsOf('simulate', 'rpc')

const METHOD = 'eth_simulateV1'
/** Emitter and first topic of a traced transfer. */
const EMITTER = `0x${'ee'.repeat(20)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SELFDESTRUCT = 0xff
const [PUSH1, PUSH32] = [0x60, 0x7f]

type Ask = Parameters<Mutant['apply']>[0]['ask']

const word = (value: unknown) => `0x${BigInt(String(value)).toString(16).padStart(64, '0')}`
const addressIn = (topic: unknown) => `0x${String(topic).slice(26)}`
const isTransfer = ({ address }: JsonObject) => String(address).toLowerCase() === EMITTER
const payloadOf = ({ params }: Pick<RpcCall, 'params'>) => Object(params[0]) as JsonObject
const entriesOf = (asked: Pick<RpcCall, 'params'>) => listIn(payloadOf(asked).blockStateCalls)

/** Blocks are named by their headers again, from parent to child, and their logs by them. */
function renamed(blocks: readonly JsonObject[]): JsonObject[] {
  let parentHash: unknown
  return blocks.map((block) => {
    const changed = { ...block, ...(parentHash !== undefined && { parentHash }) }
    const hash = headerHash(changed)
    parentHash = hash
    return { ...changed, hash, calls: withLogs(block, (log) => ({ ...log, blockHash: hash })) }
  })
}

function withLogs(block: JsonObject, change: (log: JsonObject) => JsonObject): JsonObject[] {
  return listIn(block.calls).map((call) => ({ ...call, logs: listIn(call.logs).map(change) }))
}

/** Changes the logs of each call, and counts them over the block again. */
const logsOfCalls = (
  change: (
    logs: JsonObject[],
    of: { block: JsonObject; index: number; place: number; asked: RpcCall; ask: Ask },
  ) => JsonObject[] | Promise<JsonObject[]>,
): Mutant['apply'] =>
  rewriteResult(METHOD, async (result, asked, { ask }) => {
    const blocks: JsonObject[] = []
    for (const [place, block] of listIn(result).entries()) {
      const calls: JsonObject[] = []
      let count = 0
      for (const [index, call] of listIn(block.calls).entries()) {
        const own = await change(listIn(call.logs), { block, index, place, asked, ask })
        calls.push({ ...call, logs: own.map((log) => ({ ...log, logIndex: hex(count++) })) })
      }
      blocks.push({ ...block, calls })
    }
    return blocks
  })

/** Calls see nothing of some block overrides, which the headers have. */
const notInEvm = (...names: string[]): Mutant['apply'] =>
  rewriteResult(METHOD, async (result, asked, { ask }) => {
    const entries = entriesOf(asked)
    const isMeant = ({ blockOverrides }: JsonObject) =>
      names.some((name) => name in Object(blockOverrides))
    if (!entries.some(isMeant)) return result
    const blockStateCalls = entries.map((entry) =>
      isMeant(entry)
        ? { ...entry, blockOverrides: without(Object(entry.blockOverrides), ...names) }
        : entry,
    )
    const others = listIn(
      await ask(METHOD, [{ ...payloadOf(asked), blockStateCalls }, ...asked.params.slice(1)]),
    )
    return listIn(result).map((block, place) => ({
      ...block,
      calls: listIn(block.calls).map((call, index) => {
        const { returnData = call.returnData } = listIn(others[place]?.calls)[index] ?? {}
        return { ...call, returnData }
      }),
    }))
  })

const randaoNotInHeader = rewriteResult(METHOD, (result, asked) => {
  const isMeant = (at: number) => {
    const { prevRandao, random } = Object(entriesOf(asked)[at]?.blockOverrides) as JsonObject
    return (prevRandao ?? random) !== undefined
  }
  const blocks = listIn(result)
  if (!blocks.some((_, at) => isMeant(at))) return result
  return renamed(blocks.map((block, at) => (isMeant(at) ? { ...block, mixHash: word(0) } : block)))
})

/** Accounts that calldata name, by words that could be addresses. */
function namedIn(call: JsonObject): string[] {
  const words = String(call.data ?? call.input ?? '0x')
    .slice(2)
    .match(/.{64}/g)
  return (words ?? []).filter((each) => /^0{24}[1-9a-f]/i.test(each)).map((each) => addressIn(each))
}

/** From the second block on an account that nothing touched before has no money. */
const untouchedEmpty = rewriteFirst(METHOD, (payload) => {
  const touched = new Set<string>()
  const note = (entry: JsonObject) => {
    for (const address of Object.keys(Object(entry.stateOverrides))) touched.add(address)
    for (const call of listIn(entry.calls))
      for (const each of [call.from, call.to, ...namedIn(call)]) touched.add(String(each))
  }
  const blockStateCalls = listIn(payload.blockStateCalls).map((entry, at) => {
    const isFresh = (address: string) =>
      !touched.has(address) && !(address in Object(entry.stateOverrides))
    const fresh = at === 0 ? [] : listIn(entry.calls).flatMap(namedIn).filter(isFresh)
    note(entry)
    if (fresh.length === 0) return entry
    const empty = Object.fromEntries(fresh.map((address) => [address, { balance: '0x0' }]))
    return { ...entry, stateOverrides: { ...empty, ...Object(entry.stateOverrides) } }
  })
  return Array.isArray(payload.blockStateCalls) ? { ...payload, blockStateCalls } : payload
})

/** Transfers to who is named nowhere are to what a call has created. */
const creationsUntraced = logsOfCalls((logs, { asked }) => {
  const text = JSON.stringify(asked.params).toLowerCase()
  return logs.filter((log) => {
    const [, , to] = log.topics as string[]
    return !isTransfer(log) || text.includes(addressIn(to).slice(2).toLowerCase())
  })
})

function hasSelfdestruct(code: unknown): boolean {
  const bytes = Buffer.from(String(code ?? '0x').slice(2), 'hex')
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === SELFDESTRUCT) return true
    if (byte >= PUSH1 && byte <= PUSH32) at += byte - PUSH1 + 1
  }
  return false
}

const selfdestructsUntraced = logsOfCalls(async (logs, { asked, ask }) => {
  const kept: JsonObject[] = []
  for (const log of logs) {
    const from = addressIn((log.topics as string[])[1])
    const overrides = entriesOf(asked).map(({ stateOverrides }) => Object(stateOverrides)[from])
    const { code = await ask('eth_getCode', [from, 'pending']) } =
      overrides.find((each) => each?.code) ?? {}
    if (!isTransfer(log) || !hasSelfdestruct(code)) kept.push(log)
  }
  return kept
})

interface Frame {
  from: string
  to?: string
  value?: string
  error?: string
  calls?: Frame[]
}

/** Frames that were taken back beneath one that was not, with money that moved. */
function takenBack({ calls = [], error }: Frame): Frame[] {
  if (error !== undefined) return []
  return calls.flatMap((each) =>
    each.error !== undefined && BigInt(each.value ?? 0) > 0n ? [each] : takenBack(each),
  )
}

/** With each call the transfers of frames that were taken back stay. */
const takenBackStay = logsOfCalls(async (logs, { block, index, place, asked, ask }) => {
  const [entry] = entriesOf(asked)
  const call = listIn(entry?.calls)[index]
  if (place > 0 || !call || payloadOf(asked).traceTransfers !== true) return logs
  const options = { tracer: 'callTracer', stateOverrides: entry?.stateOverrides }
  const frame = (await ask('debug_traceCall', [call, asked.params[1], options])) as Frame | null
  const more = (frame ? takenBack(frame) : []).map(({ from, to, value }) => ({
    address: EMITTER,
    topics: [TRANSFER, word(from), word(to ?? 0)],
    data: word(value),
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: block.timestamp,
    transactionHash: hashAt(block, index),
    transactionIndex: hex(index),
    removed: false,
  }))
  return [...logs, ...more]
})

function hashAt(block: JsonObject, index: number): unknown {
  const transaction = (block.transactions as unknown[])[index]
  return typeof transaction === 'string' ? transaction : Object(transaction).hash
}

const inOneEntry = (change: (calls: JsonObject[]) => JsonObject[]) =>
  rewriteFirst(METHOD, (payload) => {
    if (!Array.isArray(payload.blockStateCalls)) return payload
    const blockStateCalls = listIn(payload.blockStateCalls).map((entry) =>
      Array.isArray(entry?.calls) ? { ...entry, calls: change(listIn(entry.calls)) } : entry,
    )
    return { ...payload, blockStateCalls }
  })

/** With validation the second call of a sender is held to the nonce of its first. */
const nonceStands = answerInstead(METHOD, ([payload]) => {
  const { validation, blockStateCalls } = Object(payload) as JsonObject
  const isLater = listIn(blockStateCalls).some((entry) => {
    const calls = listIn(Object(entry).calls)
    return calls.some(({ from, nonce }, at) => {
      const before = calls.slice(0, at).find((each) => each.from === from)
      return nonce !== undefined && before?.nonce !== undefined && before.nonce !== nonce
    })
  })
  return validation === true && isLater
    ? { error: { code: -38011, message: 'nonce too high' } }
    : undefined
})

/** The gas of a block is counted on from the block before. */
const gasRunsOn = rewriteResult(METHOD, (result) => {
  let total = 0n
  const blocks = listIn(result).map((block) => {
    total += BigInt(String(block.gasUsed))
    return { ...block, gasUsed: hex(total) }
  })
  return renamed(blocks)
})

/** Bugs that real nodes had in simulations. */
export const REAL_NODE_SIMULATE_MUTANTS: readonly Mutant[] = [
  seenIn(
    ['erigontech/erigon#17996'],
    simulate(
      'RPC-SIM-37',
      'own-logs-lost-by-tracing',
      'With traced transfers the logs of contracts are missing',
      logsOfCalls((logs, { asked }) =>
        payloadOf(asked).traceTransfers === true ? logs.filter(isTransfer) : logs,
      ),
    ),
  ),
  seenIn(
    ['erigontech/erigon#17407'],
    simulate(
      'RPC-SIM-36',
      'revert-bytes-dropped',
      'A reverting call returns nothing',
      rewriteResult(METHOD, (result) =>
        listIn(result).map((block) => ({
          ...block,
          calls: listIn(block.calls).map((call) =>
            call.status === '0x0' ? { ...call, returnData: '0x' } : call,
          ),
        })),
      ),
    ),
  ),
  seenIn(
    ['erigontech/erigon#17600'],
    simulate(
      'RPC-SIM-20',
      'randomness-not-in-header',
      'An override of prevRandao is not in the header',
      randaoNotInHeader,
    ),
  ),
  seenIn(
    ['erigontech/erigon#17600'],
    simulate(
      'RPC-SIM-20',
      'randomness-not-in-calls',
      'An override of prevRandao is in the header alone',
      notInEvm('prevRandao', 'random'),
    ),
  ),
  seenIn(
    ['NethermindEth/nethermind#8480'],
    simulate(
      'RPC-SIM-21',
      'time-not-in-calls',
      'An override of the time is in the header alone',
      notInEvm('time', 'timestamp'),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#30496'],
    simulate(
      'RPC-SIM-13',
      'no-gas-by-default',
      'A call without gas has none',
      inOneEntry((calls) => calls.map((call) => ({ gas: '0x0', ...call }))),
    ),
  ),
  seenIn(
    ['erigontech/erigon#19866'],
    simulate(
      'RPC-SIM-02',
      'untouched-empty-later',
      'From the second block on an account that nothing touched has no money',
      untouchedEmpty,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15870'],
    simulate(
      'RPC-SIM-08',
      'creations-untraced',
      'Traces no transfer to what a call creates',
      creationsUntraced,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15870'],
    simulate(
      'RPC-SIM-08',
      'selfdestructs-untraced',
      'Traces no transfer of a contract that destroys itself',
      selfdestructsUntraced,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15870'],
    simulate(
      'RPC-SIM-08',
      'transfers-last',
      'Traced transfers come after all logs of their call',
      logsOfCalls((logs) => [
        ...logs.filter((log) => !isTransfer(log)),
        ...logs.filter(isTransfer),
      ]),
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15870'],
    simulate(
      'RPC-SIM-08',
      'taken-back-transfers-stay',
      'Traces transfers of frames that were taken back',
      takenBackStay,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15716'],
    simulate(
      'RPC-SIM-10',
      'second-nonce-refused',
      'With validation the second call of a sender must have the nonce of its first',
      nonceStands,
    ),
  ),
  seenIn(
    ['foundry-rs/foundry#15716'],
    simulate(
      'RPC-SIM-28',
      'gas-runs-on',
      'The gas of a later block has that of those before in it, and its hash is of that',
      gasRunsOn,
    ),
  ),
]
