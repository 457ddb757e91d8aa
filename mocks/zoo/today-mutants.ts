import { changeAt } from './change-at.ts'
import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from './mutant.ts'
import {
  answerInstead,
  rewriteBlock,
  rewriteParams,
  rewriteResponse,
  rewriteResult,
  without,
} from './rewrites.ts'
import type { TeeJson } from './tee-json.ts'

const mutant = mutantsOf('today', 'rpc')
const wsMutant = mutantsOf('today', 'ws')
const proverMutant = mutantsOf('today', 'prover')
const l1Mutant = mutantsOf('today', 'l1')

const BASE_TIME = '0x4200000000000000000000000000000000000030'
const SETTER = '0x86bdf394'

const hex = (value: bigint) => `0x${value.toString(16)}`
const big = (value: unknown) => BigInt(String(value))
const isOdd = (block: JsonObject) => big(block.number) % 2n === 1n
const isToday = (block: JsonObject) => 'timestampMs' in block
const isBaseTime = (value: unknown) => String(value).toLowerCase() === BASE_TIME

/** Changes blocks of 200 ms, however they are asked for. */
function rewriteToday(change: (block: JsonObject) => JsonObject) {
  return rewriteResult('*', (result, call) => {
    if (!call.method.startsWith('eth_getBlockBy') || result === null) return result
    const block = result as JsonObject
    return isToday(block) ? change(block) : block
  })
}

/** Changes one transaction of each block of 200 ms that lists them whole. */
const rewriteTransaction = (index: number, change: (transaction: JsonObject) => JsonObject) =>
  rewriteToday((block) => {
    const listed = block.transactions as unknown[]
    if (typeof listed[index] !== 'object') return block
    return changeAt(block, ['transactions', index], (each) =>
      change(each as JsonObject),
    ) as JsonObject
  })

const member = (
  rule: string,
  name: string,
  says: string,
  changed: (block: JsonObject) => JsonObject,
) =>
  mutant(
    rule,
    name,
    says,
    rewriteToday((block) => ({ ...block, ...changed(block) })),
  )

const twoBytesLess = (extra: unknown) => `0x00${String(extra).slice(4, 20)}`

/** The first block of 200 ms by its place on the grid: its parent, read once, is none. */
const atCrossing = (
  change: (block: JsonObject, parent: JsonObject) => JsonObject,
): Mutant['apply'] => {
  return (context) => {
    const before = new Map<unknown, Promise<JsonObject>>()
    const parentOf = (block: JsonObject) => {
      const number = hex(big(block.number) - 1n)
      const known =
        before.get(number) ??
        (context.ask('eth_getBlockByNumber', [number, true]) as Promise<JsonObject>)
      before.set(number, known)
      return known
    }
    return {
      async response(response, call) {
        if (call.method !== 'eth_getBlockByNumber' || !Object(response.result)) return response
        const block = response.result as JsonObject
        if (!block || !isToday(block) || big(block.number) === 0n) return response
        if (big(block.timestampMs) % 1000n !== 0n) return response
        const parent = await parentOf(block)
        return isToday(parent) || big(parent.number) === 0n
          ? response
          : { ...response, result: change(block, parent) }
      },
    }
  }
}

/** The block before that one. */
const beforeCrossing = (
  change: (block: JsonObject, next: JsonObject) => JsonObject,
): Mutant['apply'] => {
  return (context) => ({
    async response(response, call) {
      const block = response.result as JsonObject | null | undefined
      if (call.method !== 'eth_getBlockByNumber' || !block || isToday(block)) return response
      if (call.params[0] === 'pending') return response
      const number = hex(big(block.number) + 1n)
      const next = (await context.ask('eth_getBlockByNumber', [number, true])) as JsonObject | null
      return next && isToday(next) ? { ...response, result: change(block, next) } : response
    },
  })
}

/** Changes what a subscription of one kind tells; undefined leaves it out. */
function rewriteStream(
  kind: string,
  change: (result: JsonObject) => JsonObject | undefined,
): () => MutantHooks {
  return () => {
    const asked = new Map<unknown, unknown>()
    const ids = new Set<unknown>()
    return {
      call(call) {
        if (call.method === 'eth_subscribe') asked.set(call.id, call.params[0])
        return call
      },
      message(message) {
        if (asked.get(message.id) === kind) ids.add(message.result)
        const params = message.params as { subscription?: unknown; result?: JsonObject } | undefined
        if (!params?.result || !ids.has(params.subscription)) return { message, delay: 0 }
        const result = change(params.result)
        return result ? { message: { ...message, params: { ...params, result } }, delay: 0 } : null
      },
    }
  }
}

/** Calls of creation code that holds some bytes get another answer. */
const answerCode = (bytes: string, answer: (result: unknown) => unknown): Mutant['apply'] =>
  rewriteResult('eth_call', (result, call) => {
    const { data = '' } = (call.params[0] ?? {}) as { data?: string }
    return data.includes(bytes) ? answer(result) : result
  })

const lessGas = (gas: bigint) => (result: unknown) =>
  `0x${(big(result) - gas).toString(16).padStart(64, '0')}`

/** What calls `address` as the gate measures it: PUSH20, GAS, STATICCALL. */
const measures = (address: string) => `${address.slice(2)}5afa`
const MODEXP = `0x${'5'.padStart(40, '0')}`
const P256VERIFY = `0x${'100'.padStart(40, '0')}`

/** Changes every proposal of a proof, the aggregate too. */
const proposals = (change: (proposal: JsonObject) => JsonObject): Mutant['apply'] =>
  rewriteResult('prover_prove', (result) => {
    const { aggregate_proposal, proposals } = (result as { Tee: TeeJson }).Tee
    const all = { aggregate_proposal: change(aggregate_proposal), proposals: proposals.map(change) }
    return { Tee: all }
  })

/** Calls of one function on L1 are answered with one bit flipped. */
const flipAnswerOf = (selector: string): Mutant['apply'] =>
  rewriteResult('eth_call', (result, call) => {
    const { data = '' } = (call.params[0] ?? {}) as { data?: string }
    return data.startsWith(selector) ? flipLast(result) : result
  })

const flipLast = (value: unknown) => {
  const text = String(value)
  return `${text.slice(0, -1)}${(Number.parseInt(text.slice(-1), 16) ^ 1).toString(16)}`
}

/** `activatedScheduleId(uint64)` and `intervalsForStartingBlock(uint256)`. */
const ACTIVATED = '0xa2e62b5a'
const INTERVALS = '0x326ac384'
/** createWithInitData(uint32,bytes32,bytes,bytes) */
const CREATE_GAME = '0x1011f377'

/** Mutants of today's chain: they stand before a devnet that has crossed to blocks of 200 ms. */
export const TODAY_MUTANTS: readonly Mutant[] = [
  member(
    'TODAY-TIME-01',
    'uneven',
    'Every second block is told 200 ms later than it is',
    (block) => (isOdd(block) ? { timestampMs: hex(big(block.timestampMs) + 200n) } : {}),
  ),
  member('TODAY-TIME-02', 'leap', 'Every sixteen blocks a second is left out', (block) => ({
    timestampMs: hex(big(block.timestampMs) + 1_000n * (big(block.number) / 16n)),
  })),
  member(
    'TODAY-TIME-03',
    'to-a-hundred',
    'timestampMs ends with hundreds that are no slot',
    (block) => ({
      timestampMs: hex(big(block.timestampMs) + 100n),
    }),
  ),
  member('TODAY-TIME-04', 'own-second', 'Each block has a second of its own', (block) => ({
    timestamp: hex(big(block.timestamp) + (big(block.timestampMs) % 1000n) / 200n),
  })),
  mutant(
    'TODAY-TIME-05',
    'other-gas',
    'The deposit of BaseTime has less gas',
    rewriteTransaction(1, (each) => ({ ...each, gas: '0x186a0' })),
  ),
  mutant(
    'TODAY-TIME-06',
    'other-source',
    'The source of that deposit is that of the first',
    rewriteToday((block) => {
      const [first] = block.transactions as JsonObject[]
      return changeAt(
        block,
        ['transactions', 1, 'sourceHash'],
        () => first?.sourceHash,
      ) as JsonObject
    }),
  ),
  mutant(
    'TODAY-TIME-07',
    'twice',
    'The deposit is listed twice',
    rewriteToday((block) => {
      const [, second] = block.transactions as unknown[]
      return { ...block, transactions: [...(block.transactions as unknown[]), second] }
    }),
  ),
  mutant(
    'TODAY-TIME-08',
    'deposit-failed',
    'The receipt of the deposit says that it failed',
    rewriteResult('eth_getBlockReceipts', (result) => changeAt(result, [1, 'status'], () => '0x0')),
  ),
  mutant(
    'TODAY-TIME-09',
    'late-contract',
    'BaseTime answers for the block before',
    rewriteParams('eth_call', ([call, selector]) =>
      isBaseTime((call as JsonObject | undefined)?.to) && /^0x/.test(String(selector))
        ? [call, hex(big(selector) - 1n)]
        : [call, selector],
    ),
  ),
  mutant(
    'TODAY-TIME-10',
    'latest-slot',
    'The slot of BaseTime is that of the block before',
    rewriteParams('eth_getStorageAt', ([address, slot, selector]) =>
      isBaseTime(address) && /^0x/.test(String(selector))
        ? [address, slot, hex(big(selector) - 1n)]
        : [address, slot, selector],
    ),
  ),
  mutant(
    'TODAY-TIME-11',
    'no-sequence',
    'The sequence number of L1 attributes stays zero',
    rewriteTransaction(0, (each) => ({
      ...each,
      input: `${String(each.input).slice(0, 26)}${'0'.repeat(16)}${String(each.input).slice(42)}`,
    })),
  ),
  mutant(
    'TODAY-TIME-12',
    'early-origin',
    'The L1 origin is a minute ahead',
    rewriteTransaction(0, (each) => {
      const input = String(each.input)
      const later = BigInt(`0x${input.slice(42, 58)}`) + 60n
      return {
        ...each,
        input: `${input.slice(0, 42)}${later.toString(16).padStart(16, '0')}${input.slice(58)}`,
      }
    }),
  ),
  member('TODAY-TIME-13', 'own-randao', 'Each block has a prevRandao of its own', (block) => ({
    mixHash: block.hash,
  })),
  member('TODAY-FEE-01', 'holocene-extra', 'extraData has the nine bytes of Holocene', (block) => ({
    extraData: twoBytesLess(block.extraData),
  })),
  member(
    'TODAY-FEE-02',
    'old-denominator',
    'The base fee is one wei more than it should be',
    (block) => (isOdd(block) ? { baseFeePerGas: hex(big(block.baseFeePerGas) + 1n) } : {}),
  ),
  member('TODAY-FEE-03', 'now-and-then', 'Every second block has a tenth of the gas', (block) =>
    isOdd(block) ? { gasLimit: hex(big(block.gasLimit) / 10n) } : {},
  ),
  mutant(
    'TODAY-FEE-04',
    'large-transaction',
    'Transactions of users ask for more than 2^24 gas',
    rewriteToday(
      (block) =>
        changeAt(block, ['transactions', '*'], (each) =>
          typeof each === 'object' && (each as JsonObject).type !== '0x7e'
            ? { ...(each as JsonObject), gas: '0x1000001' }
            : each,
        ) as JsonObject,
    ),
  ),
  mutant(
    'TODAY-RPC-01',
    'by-hash-without',
    'eth_getBlockByHash leaves timestampMs out',
    rewriteResult('eth_getBlockByHash', (result) => without(result as JsonObject, 'timestampMs')),
  ),
  mutant(
    'TODAY-RPC-02',
    'header-without',
    'Headers are told without their milliseconds',
    rewriteResult('*', (result, call) => {
      if (!call.method.startsWith('eth_getHeaderBy') || !result) return result
      return without(result as JsonObject, 'timestampMs')
    }),
  ),
  mutant(
    'TODAY-RPC-03',
    'transaction-without',
    'eth_getTransactionByHash leaves blockTimestampMs out',
    rewriteResult('eth_getTransactionByHash', (result) =>
      result ? without(result as JsonObject, 'blockTimestampMs') : result,
    ),
  ),
  mutant(
    'TODAY-RPC-04',
    'log-in-seconds',
    'blockTimestampMs of a log is its whole second',
    rewriteResult('eth_getLogs', (result) =>
      changeAt(result, ['*', 'blockTimestampMs'], (time) => hex(big(time) / 1000n)),
    ),
  ),
  mutant(
    'TODAY-RPC-05',
    'receipt-with',
    'A receipt itself has blockTimestampMs',
    rewriteResult('eth_getTransactionReceipt', (result) =>
      result ? { ...(result as JsonObject), blockTimestampMs: '0x1' } : result,
    ),
  ),
  mutant(
    'TODAY-RPC-06',
    'null-before',
    'A block of before has timestampMs null',
    rewriteBlock((block) => (isToday(block) ? block : { ...block, timestampMs: null })),
  ),
  member('TODAY-RPC-07', 'with-part', 'Blocks have timestampMillisPart', (block) => ({
    timestampMillisPart: hex(big(block.timestampMs) % 1000n),
  })),
  mutant(
    'TODAY-RPC-08',
    'pending-is-latest',
    'A call at pending is in the block of latest',
    rewriteParams('eth_call', ([call, selector, ...rest]) =>
      selector === 'pending' && !(call as JsonObject).to
        ? [call, 'latest', ...rest]
        : [call, selector, ...rest],
    ),
  ),
  mutant(
    'TODAY-RPC-09',
    'pending-time-is-old',
    'BaseTime at pending tells the time of the first block',
    rewriteParams('eth_call', ([call, selector, ...rest]) =>
      selector === 'pending' && isBaseTime((call as JsonObject).to)
        ? [call, '0x1', ...rest]
        : [call, selector, ...rest],
    ),
  ),
  mutant(
    'TODAY-RPC-10',
    'pending-has-more',
    'A balance at pending is one wei more than at latest',
    rewriteResult('eth_getBalance', (result, call) =>
      call.params[1] === 'pending' ? hex(big(result) + 1n) : result,
    ),
  ),
  mutant(
    'TODAY-RPC-11',
    'sync-send',
    'eth_sendRawTransactionSync is served',
    answerInstead('eth_sendRawTransactionSync', () => ({
      error: { code: -32602, message: 'Invalid params' },
    })),
  ),
  mutant(
    'TODAY-RPC-12',
    'simulated-seconds',
    'Simulated blocks come a second apart',
    rewriteResult('eth_simulateV1', (result) =>
      (result as JsonObject[]).map((block, at) => ({
        ...block,
        timestamp: hex(big((result as JsonObject[])[0]!.timestamp) + BigInt(at)),
      })),
    ),
  ),
  mutant(
    'TODAY-RPC-13',
    'equal-refused',
    'A simulated block with the second of the one before is refused',
    rewriteResponse((response, call) => {
      const [{ blockStateCalls = [] } = {}] = call.params as { blockStateCalls?: JsonObject[] }[]
      const times = blockStateCalls.map(
        ({ blockOverrides }) => (blockOverrides as JsonObject | undefined)?.time,
      )
      const isEqual = times.length > 1 && times[0] !== undefined && times[0] === times[1]
      if (call.method !== 'eth_simulateV1' || !isEqual) return response
      return {
        ...without(response, 'result'),
        error: { code: -38021, message: 'block timestamps' },
      }
    }),
  ),
  mutant(
    'TODAY-RPC-14',
    'blobs-of-ethereum',
    'eth_config has the blobs of Ethereum',
    rewriteResult('eth_config', (result) =>
      changeAt(result, ['current', 'blobSchedule', 'max'], () => 9),
    ),
  ),
  wsMutant(
    'TODAY-WS-01',
    'each-fifth',
    'Every fifth head alone is told',
    rewriteStream('newHeads', (head) => (big(head.number) % 5n === 0n ? head : undefined)),
  ),
  wsMutant(
    'TODAY-WS-02',
    'head-without',
    'Heads have no timestampMs',
    rewriteStream('newHeads', (head) => without(head, 'timestampMs')),
  ),
  wsMutant(
    'TODAY-WS-03',
    'log-without',
    'Logs that are told have no blockTimestampMs',
    rewriteStream('logs', (log) => without(log, 'blockTimestampMs')),
  ),
  wsMutant(
    'TODAY-WS-04',
    'pending-logs-tell',
    'pendingLogs tells the logs of sealed blocks',
    rewriteParams('eth_subscribe', (params) =>
      params[0] === 'pendingLogs' ? ['logs', {}] : params,
    ),
  ),
  wsMutant(
    'TODAY-CROSS-06',
    'head-lost',
    'Heads whose number ends with 3 are not told',
    rewriteStream('newHeads', (head) => (big(head.number) % 10n === 3n ? undefined : head)),
  ),
  wsMutant(
    'TODAY-WS-05',
    'flashblocks-refused',
    'newFlashblocks is refused',
    answerInstead('eth_subscribe', ([kind]) =>
      kind === 'newFlashblocks'
        ? { error: { code: -32602, message: 'Invalid params' } }
        : undefined,
    ),
  ),
  mutant(
    'TODAY-EVM-01',
    'clz-of-zero',
    'CLZ of zero is 255',
    answerCode(`7f${'0'.repeat(64)}1e`, () => `0x${'ff'.padStart(64, '0')}`),
  ),
  mutant(
    'TODAY-EVM-02',
    'modexp-longer',
    'MODEXP takes more than 1,024 bytes',
    rewriteResponse((response, call) => {
      const [{ to = '' } = {}] = call.params as { to?: string }[]
      if (call.method !== 'eth_call' || to !== MODEXP || 'result' in response) return response
      return { ...without(response, 'error'), result: '0x' }
    }),
  ),
  mutant(
    'TODAY-EVM-03',
    'modexp-cheaper',
    'MODEXP costs 200 gas at least',
    answerCode(measures(MODEXP), lessGas(300n)),
  ),
  mutant(
    'TODAY-EVM-04',
    'p256-cheaper',
    'P256VERIFY costs 3,450 gas',
    answerCode(measures(P256VERIFY), lessGas(3_450n)),
  ),
  proverMutant(
    'TODAY-PROOF-01',
    'no-schedule',
    'A proposal names no schedule',
    proposals((each) => without(each, 'schedule_id')),
  ),
  proverMutant(
    'TODAY-PROOF-02',
    'other-schedule',
    'The schedule that is named is not the one that was signed',
    proposals((each) => ({ ...each, schedule_id: flipLast(each.schedule_id) })),
  ),
  proverMutant(
    'TODAY-PROOF-03',
    'no-upgrade',
    'The schedule is that of a chain on which nothing is active',
    proposals((each) => ({ ...each, schedule_id: `0x${'00'.repeat(32)}` })),
  ),
  l1Mutant(
    'TODAY-PROOF-04',
    'other-hash',
    'activatedScheduleId is the hash of something else',
    flipAnswerOf(ACTIVATED),
  ),
  l1Mutant(
    'TODAY-PROOF-05',
    'always-slow',
    'Games have the intervals of before for ever',
    rewriteParams('eth_call', ([call, ...rest]) => {
      const { data = '' } = (call ?? {}) as { data?: string }
      if (!data.startsWith(INTERVALS)) return [call, ...rest]
      return [{ ...(call as JsonObject), data: `${INTERVALS}${'0'.repeat(64)}` }, ...rest]
    }),
  ),
  l1Mutant(
    'TODAY-PROOF-06',
    'any-time',
    'A game takes claims whose time has not come',
    // At the time of L1 itself, which is past the claim's.
    rewriteParams('eth_call', (params) => {
      const { data = '' } = (params[0] ?? {}) as { data?: string }
      return data.startsWith(CREATE_GAME) ? params.slice(0, 3) : params
    }),
  ),
  mutant(
    'TODAY-CROSS-01',
    'at-once',
    'The first block of 200 ms comes a second early',
    atCrossing((block) => ({ ...block, timestamp: hex(big(block.timestamp) - 1n) })),
  ),
  mutant(
    'TODAY-CROSS-02',
    'deposit-before',
    'The block before has the deposit of BaseTime too',
    beforeCrossing((block, next) => {
      const [, deposit] = next.transactions as JsonObject[]
      const listed = block.transactions as unknown[]
      if (typeof listed[0] !== 'object' || !String(deposit?.input).startsWith(SETTER)) return block
      return { ...block, transactions: [...listed, deposit] }
    }),
  ),
  mutant(
    'TODAY-CROSS-03',
    'same-gas',
    'The first block of 200 ms has the gas limit of before',
    atCrossing((block, parent) => ({ ...block, gasLimit: parent.gasLimit })),
  ),
  mutant(
    'TODAY-CROSS-04',
    'same-extra',
    'The first block of 200 ms has the extraData of before',
    atCrossing((block, parent) => ({ ...block, extraData: parent.extraData })),
  ),
  mutant(
    'TODAY-CROSS-05',
    'other-base-fee',
    'The base fee of that block is one wei less',
    atCrossing((block) => ({ ...block, baseFeePerGas: hex(big(block.baseFeePerGas) - 1n) })),
  ),
]
