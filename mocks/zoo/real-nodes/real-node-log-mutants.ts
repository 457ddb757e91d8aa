import { isUnsealed } from '../logs/is-unsealed.ts'
import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { isHeight } from '../parts/block-selectors.ts'
import { filterOf } from '../parts/filter-of.ts'
import { listIn } from '../parts/list-in.ts'
import { plusOne } from '../plus-one.ts'
import { answerInstead, rewriteFirst, rewriteResult, without } from '../rewrites.ts'
import { firstAfterSeal, heightLags } from './around-the-seal.ts'

const logs = mutantsOf('logs', 'rpc')

const INVALID = { code: -32602, message: 'invalid block range params' }
const NO_HASH = `0x${'00'.repeat(32)}`

const heightIn = ({ blockNumber }: JsonObject) => BigInt(String(blockNumber))
const isOfPending = ({ fromBlock, toBlock }: JsonObject) =>
  fromBlock === 'pending' && toBlock === 'pending'
const isSealed = (log: JsonObject) => !isUnsealed(log)

/** Changes what a filter that fits has found. */
const found = (
  fits: (filter: JsonObject) => boolean,
  change: (logs: JsonObject[], filter: JsonObject) => JsonObject[],
) =>
  rewriteResult('eth_getLogs', (result, asked) =>
    fits(filterOf(asked.params)) ? change(listIn(result), filterOf(asked.params)) : result,
  )

const nothing = (fits: (filter: JsonObject) => boolean) => found(fits, () => [])

const refused = (fits: (filter: JsonObject) => boolean) =>
  answerInstead('eth_getLogs', ([filter]) =>
    fits(Object(filter)) ? { error: INVALID } : undefined,
  )

const topicsOf = ({ topics }: JsonObject) => (Array.isArray(topics) ? topics : []) as unknown[]

const isFromSealed = ({ fromBlock, toBlock }: JsonObject) =>
  toBlock === 'pending' && (fromBlock === 'latest' || isHeight(fromBlock))

/** The logs of the block that was just sealed come as sealed and, once more, as pre-confirmed. */
const sealedTwice = firstAfterSeal(
  (asked) => asked.method === 'eth_getLogs' && isFromSealed(filterOf(asked.params)),
  (response) => {
    const all = listIn(response.result)
    const sealed = all.filter(isSealed)
    const newest = sealed.at(-1)?.blockNumber
    const again = sealed
      .filter(({ blockNumber }) => blockNumber === newest)
      .map((log) => ({ ...log, blockHash: NO_HASH }))
    return { ...response, result: [...sealed, ...again, ...all.slice(sealed.length)] }
  },
)

const refusedAfterSeal = firstAfterSeal(
  (asked) => {
    const { fromBlock, toBlock } = filterOf(asked.params)
    return asked.method === 'eth_getLogs' && fromBlock === 'latest' && toBlock === 'pending'
  },
  (response) => ({ ...without(response, 'result'), error: INVALID }),
)

/** Past the head it answers with the logs of the newest block. */
const pastIsNewest = rewriteResult('eth_getLogs', async (result, asked, { ask }) => {
  const filter = filterOf(asked.params)
  if (!isHeight(filter.fromBlock)) return result
  const head = BigInt(String(await ask('eth_blockNumber')))
  if (BigInt(String(filter.fromBlock)) <= head) return result
  return ask('eth_getLogs', [{ ...filter, fromBlock: 'latest', toBlock: 'latest' }])
})

/** A range of one height finds the logs of all heights whose digits begin with it. */
const byPrefix = rewriteResult('eth_getLogs', async (result, asked, { ask }) => {
  const filter = filterOf(asked.params)
  if (!isHeight(filter.fromBlock) || filter.fromBlock !== filter.toBlock) return result
  const first = BigInt(String(filter.fromBlock)) * 16n
  const head = BigInt(String(await ask('eth_blockNumber')))
  if (first === 0n || first > head) return result
  const [fromBlock, toBlock] = [first, first + 15n].map((height) => `0x${height.toString(16)}`)
  const others = await ask('eth_getLogs', [{ ...filter, fromBlock, toBlock }])
  return [...listIn(result), ...listIn(others)]
})

/** Logs of each batch of pre-confirmed transactions are counted from zero. */
const indexOfBatch: Mutant['apply'] = (context) => {
  const batches = new Map<unknown, number>()
  let looks = 0
  return rewriteResult('eth_getLogs', (result, asked) => {
    const { fromBlock, toBlock, ...criteria } = filterOf(asked.params)
    if (!isOfPending({ fromBlock, toBlock }) || Object.keys(criteria).length > 0) return result
    looks += 1
    const counts = new Map<number, number>()
    return listIn(result).map((log) => {
      const batch = batches.get(log.transactionHash) ?? looks
      batches.set(log.transactionHash, batch)
      const index = counts.get(batch) ?? 0
      counts.set(batch, index + 1)
      return { ...log, logIndex: `0x${index.toString(16)}` }
    })
  })(context)
}

const endsWith = (digits: string, { transactionHash }: JsonObject) =>
  digits.includes(String(transactionHash).at(-1) ?? ' ')
const isLastOfItsOwn = (log: JsonObject, at: number, all: readonly JsonObject[]) =>
  all[at + 1]?.transactionHash !== log.transactionHash

/** Bugs that real nodes had in logs. */
export const REAL_NODE_LOG_MUTANTS: readonly Mutant[] = [
  seenIn(
    ['base/base#140'],
    logs(
      'RPC-FLT-05',
      'seam-refused-after-the-seal',
      'From latest to pending is refused at the first look after a seal',
      refusedAfterSeal,
    ),
  ),
  seenIn(
    ['base/base#140'],
    logs(
      'RPC-FLT-05',
      'sealed-twice-after-the-seal',
      'Into pending the logs of the block just sealed come twice, at the first look after the seal',
      sealedTwice,
    ),
  ),
  seenIn(
    ['base/base#3274'],
    logs(
      'RPC-GETLOGS-02',
      'pending-one-more',
      'Pending has a log of some transactions that their sealed block has not',
      found(isOfPending, (all) =>
        all.flatMap((log, at) =>
          endsWith('0123', log) && isLastOfItsOwn(log, at, all)
            ? [log, { ...log, logIndex: plusOne(log.logIndex) }]
            : [log],
        ),
      ),
    ),
  ),
  seenIn(
    ['base/base#3274'],
    logs(
      'RPC-GETLOGS-02',
      'pending-one-fewer',
      'Pending lacks the last log of some transactions',
      found(isOfPending, (all) =>
        all.filter((log, at) => !(endsWith('cdef', log) && isLastOfItsOwn(log, at, all))),
      ),
    ),
  ),
  seenIn(
    ['paradigmxyz/reth#18098'],
    logs(
      'RPC-GETLOGS-04',
      'past-is-newest',
      'A range past the head has the logs of the newest block',
      pastIsNewest,
    ),
  ),
  seenIn(
    ['erigontech/erigon#16901'],
    logs(
      'RPC-FLT-05',
      'latest-to-latest-empty',
      'From latest to latest finds nothing',
      nothing(({ fromBlock, toBlock }) => fromBlock === 'latest' && toBlock === 'latest'),
    ),
  ),
  seenIn(
    ['hl-archive-node/nanoreth#78', 'paradigmxyz/reth#18851'],
    logs(
      'RPC-FLT-07',
      'address-in-a-range-empty',
      'Finds nothing of an address in a range, and all of it by block hash',
      nothing(({ address, blockHash }) => address !== undefined && blockHash === undefined),
    ),
  ),
  seenIn(
    ['onflow/flow-evm-gateway#439'],
    logs(
      'RPC-GETLOGS-04',
      'height-by-prefix',
      'A range of one height has the logs of all whose digits begin so',
      byPrefix,
    ),
  ),
  seenIn(
    ['filecoin-project/ref-fvm#1285'],
    logs(
      'RPC-GETLOGS-04',
      'ends-alone',
      'A range finds the logs of its first block and of its last, and none between',
      found(
        ({ fromBlock, toBlock }) => isHeight(fromBlock) && isHeight(toBlock),
        (all, { fromBlock, toBlock }) => {
          const ends = [BigInt(String(fromBlock)), BigInt(String(toBlock))]
          return all.filter((log) => ends.includes(heightIn(log)))
        },
      ),
    ),
  ),
  seenIn(
    ['Fantom-foundation/go-opera#189'],
    logs(
      'RPC-LOG-09',
      'zero-place-by-topics',
      'transactionIndex is zero where topics were asked for',
      found(
        (filter) => topicsOf(filter).length > 0,
        (all) => all.map((log) => ({ ...log, transactionIndex: '0x0' })),
      ),
    ),
  ),
  seenIn(
    ['paradigmxyz/reth#18530'],
    logs(
      'RPC-LOG-11',
      'index-of-batch',
      'Counts pre-confirmed logs of each batch from zero',
      indexOfBatch,
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#24237'],
    logs(
      'RPC-FLT-05',
      'latest-to-pending-empty',
      'From latest to pending finds nothing',
      nothing(({ fromBlock, toBlock }) => fromBlock === 'latest' && toBlock === 'pending'),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#24949'],
    logs(
      'RPC-GETLOGS-03',
      'newest-with-pending',
      'Pending logs come with those of the newest sealed block',
      rewriteFirst('eth_getLogs', (filter) =>
        filter.fromBlock === 'pending'
          ? { ...filter, fromBlock: 'latest', toBlock: 'pending' }
          : filter,
      ),
    ),
  ),
  ...(
    [
      ['RPC-FLT-07', 'address-empty', 'an address', (filter) => filter.address !== undefined],
      ['RPC-FLT-13', 'list-empty', 'alternative topics', (each) => topicsOf(each).some(isList)],
      ['RPC-FLT-11', 'null-empty', 'null for a topic', (each) => topicsOf(each).includes(null)],
      [
        ...(['RPC-GETLOGS-02', 'both-empty', 'an address and topics'] as const),
        (filter) => filter.address !== undefined && topicsOf(filter).length > 0,
      ],
    ] as readonly [string, string, string, (filter: JsonObject) => boolean][]
  ).map(([rule, name, what, fits]) =>
    seenIn(
      ['Sovereign-Labs/sovereign-sdk#2387'],
      logs(
        rule,
        `pending-by-${name}`,
        `At pending finds nothing by ${what}`,
        nothing((filter) => isOfPending(filter) && fits(filter)),
      ),
    ),
  ),
  seenIn(
    ['0xPolygon/bor#2373'],
    logs(
      'RPC-FLT-05',
      'number-to-pending-refused',
      'Refuses a range from a number to pending',
      refused(({ fromBlock, toBlock }) => isHeight(fromBlock) && toBlock === 'pending'),
    ),
  ),
  seenIn(
    ['0xPolygon/bor#2373'],
    logs(
      'RPC-FLT-05',
      'to-pending-alone-refused',
      'Refuses pending as toBlock where there is no fromBlock',
      refused(({ fromBlock, toBlock }) => fromBlock === undefined && toBlock === 'pending'),
    ),
  ),
  seenIn(
    ['worldcoin/world-chain#444'],
    logs(
      'RPC-FLT-05',
      'number-to-pending-unsealed',
      'A range from a number to pending has the pre-confirmed logs alone',
      found(
        ({ fromBlock, toBlock }) => isHeight(fromBlock) && toBlock === 'pending',
        (all) => all.filter((log) => !isSealed(log)),
      ),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#15404'],
    logs(
      'RPC-FLT-10',
      'third-topic-finds-nothing',
      'Finds nothing by a topic in the third place',
      nothing((filter) => (topicsOf(filter)[2] ?? null) !== null),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#21770'],
    logs(
      'RPC-FLT-12',
      'sixteenth-not-indexed',
      'By topics finds nothing in each sixteenth block',
      found(
        (filter) => topicsOf(filter).some((topic) => topic !== null),
        (all) => all.filter((log) => heightIn(log) % 16n !== 0n),
      ),
    ),
  ),
  seenIn(
    ['paradigmxyz/reth#5696'],
    logs(
      'RPC-FLT-02',
      'height-lags',
      'Logs are refused at the newest height for a moment after latest has named it',
      heightLags('eth_getLogs', ([filter]) => {
        const { fromBlock, toBlock } = Object(filter) as JsonObject
        return [fromBlock, toBlock]
      }),
    ),
  ),
  // Nobody reported this one: it lies beside those at the seam.
  logs(
    'RPC-PEND-11',
    'pending-in-latest',
    'A range from a number to latest has pre-confirmed logs',
    rewriteFirst('eth_getLogs', (filter) =>
      isHeight(filter.fromBlock) && filter.toBlock === 'latest'
        ? { ...filter, toBlock: 'pending' }
        : filter,
    ),
  ),
]

function isList(topic: unknown): boolean {
  return Array.isArray(topic) && topic.length > 0
}
