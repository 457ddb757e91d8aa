import { type Hex, keccak256 } from 'viem'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { ChainView, PendingBlock } from '#devnet/l2/node/chain-view'
import { nodeRpcPart } from '#devnet/rollup/parts/node-rpc-part'
import { safeHeadPart } from '#devnet/rollup/parts/safe-head-part'
import { serveSubscribers } from '#devnet/rollup/world/serve-subscribers'
import type { Hash } from '#protocol/types/bytes'
import type { Transaction } from '#protocol/types/transaction'
import { answering, readJson } from './answering.ts'
import { leavingOut } from './leaving-out.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

/** A node whose RPC reads another pending block than the one that was published. */
const readingPending = (pendingOf: (chain: ChainView) => () => PendingBlock | undefined) => ({
  nodeRpc: {
    ...nodeRpcPart,
    start(...[context, given]: Parameters<typeof nodeRpcPart.start>) {
      const { chain } = given
      const misread = withMembers(chain, { pending: pendingOf(chain) })
      return nodeRpcPart.start(context, { ...given, chain: misread })
    },
  },
})

/** A node whose `latest` in this parameter of a method is a block of before. */
const answeringLate = (name: string, position: number, blocks: bigint) =>
  answering(name, (methods, chain) => (params, context) => {
    const number = chain.latest().header.number - blocks
    const before = number > 0n ? `0x${number.toString(16)}` : 'earliest'
    const late = (params as unknown[]).map((param, at) =>
      at === position && param === 'latest' ? before : param,
    )
    return methods[name]!(late, context)
  })

/** In flashblocks. */
const LATE = 5

export const nodeBugs: readonly PlantedBug[] = [
  {
    name: 'publishes-before-the-header',
    says: 'A flashblock is published with the header of the one before it.',
    breaks: 'one-snapshot',
    plant: () =>
      readingPending((chain) => {
        const shown = lastTwo(chain)
        return () => {
          const now = chain.pending()
          const before = shown.before
          return now && before?.header.number === now.header.number
            ? { ...now, header: before.header }
            : now
        }
      }),
  },
  {
    name: 'asks-a-replica-that-is-late',
    says: 'Every third read of pending is answered by a replica that is a second late.',
    breaks: 'pending-goes-forward',
    plant: () =>
      readingPending((chain) => {
        const published: PendingBlock[] = []
        chain.on('flashblock', (next) => void published.push(next))
        let reads = 0
        return () => {
          reads += 1
          const late = published.at(-LATE)
          return reads % 3 === 0 && late ? late : chain.pending()
        }
      }),
  },
  {
    name: 'shows-what-is-only-pooled',
    says: 'Pending shows transactions that have not been executed yet.',
    breaks: 'one-snapshot',
    plant: () =>
      readingPending((chain) => {
        const pooled = new Map<Hash, Transaction>()
        chain.on('pooled', (transaction) => void pooled.set(transaction.hash, transaction))
        return () => {
          const now = chain.pending()
          if (!now) return now
          const waiting = [...pooled.values()].filter(({ hash }) => !chain.findTransaction(hash))
          return { ...now, transactions: [...now.transactions, ...waiting] }
        }
      }),
  },
  {
    name: 'waits-for-a-block-that-is-gone',
    says: 'After a reorganisation, fees are asked of blocks that are no longer there, for ever.',
    breaks: 'requests-end',
    plant: () => ({
      nodeRpc: {
        ...nodeRpcPart,
        async start(context, given) {
          const faces = await nodeRpcPart.start(context, given)
          const { methods } = faces
          let isReorged = false
          given.chain.on('reorg', () => {
            isReorged = true
          })
          const waiting: RpcMethod = (params, context) =>
            isReorged ? new Promise(() => {}) : methods.eth_feeHistory!(params, context)
          return { ...faces, methods: { ...methods, eth_feeHistory: waiting } }
        },
      },
    }),
  },
  {
    name: 'skips-a-log-after-a-reconnect',
    says: 'Once a connection was lost, the next subscription begins a log late.',
    breaks: 'logs-come-once',
    plant() {
      let wasLost = false
      return {
        serveSubscribers(port, process, options) {
          const eth_subscribe: RpcMethod = (params, context) => {
            const { connection } = context
            if (!connection) return options.methods.eth_subscribe!(params, context)
            connection.onClose(() => {
              wasLost = true
            })
            let toSkip = wasLost ? 1 : 0
            const late = {
              ...connection,
              notify(method: string, params: unknown) {
                toSkip -= 1
                if (toSkip < 0) connection.notify(method, params)
              },
            }
            return options.methods.eth_subscribe!(params, { ...context, connection: late })
          }
          serveSubscribers(port, process, {
            ...options,
            methods: { ...options.methods, eth_subscribe },
          })
        },
      }
    },
  },
  {
    name: 'leaves-out-each-seventh-head',
    says: 'Who hears of heads does not hear of each seventh.',
    breaks: 'streams-are-whole',
    plant: () => leavingOut('newHeads', 7),
  },
  {
    name: 'has-one-wei-of-everything',
    says: 'Whoever asks for a balance is answered 1 wei.',
    breaks: 'values-are-true',
    plant: () => answering('eth_getBalance', () => () => '0x1'),
  },
  {
    name: 'reads-a-block-that-is-old',
    says: 'Balances of latest are those of five blocks before.',
    breaks: 'values-are-true',
    plant: () => answeringLate('eth_getBalance', 1, 5n),
  },
  {
    name: 'keeps-slots-of-the-parent',
    says: 'Slots of latest are those of its parent.',
    breaks: 'values-are-true',
    plant: () => answeringLate('eth_getStorageAt', 2, 1n),
  },
  {
    name: 'calls-upon-the-parent',
    says: 'Calls at latest see the state of its parent.',
    breaks: 'values-are-true',
    plant: () => answeringLate('eth_call', 1, 1n),
  },
  {
    name: 'simulates-upon-the-parent',
    says: 'What is simulated at latest sees the state of its parent.',
    breaks: 'values-are-true',
    plant: () => answeringLate('eth_simulateV1', 1, 1n),
  },
  {
    name: 'loses-the-last-log-of-many',
    says: 'A filter that finds more than ten logs is answered without the last.',
    breaks: 'logs-are-true',
    plant: () =>
      answering('eth_getLogs', (methods) => async (params, context) => {
        const logs = readJson(await methods.eth_getLogs!(params, context)) as unknown[]
        return logs.length > 10 ? logs.slice(0, -1) : logs
      }),
  },
  {
    name: 'forgets-each-ninth-transaction',
    says: 'Each ninth transaction is answered with its hash and taken by nobody.',
    breaks: 'accepted-comes',
    plant() {
      let taken = 0
      return answering('eth_sendRawTransaction', (methods) => (params, context) => {
        taken += 1
        const [raw] = params as [Hex]
        return taken % 9 === 0 ? keccak256(raw) : methods.eth_sendRawTransaction!(params, context)
      })
    },
  },
  {
    name: 'says-that-all-went-well',
    says: 'The receipt of what was reverted has status 1.',
    breaks: 'blocks-are-executed',
    plant: () =>
      answering('eth_getBlockReceipts', (methods) => async (params, context) => {
        const receipts = readJson(await methods.eth_getBlockReceipts!(params, context))
        return (receipts as object[] | null)?.map((each) => ({ ...each, status: '0x1' })) ?? null
      }),
  },
  {
    name: 'counts-logs-by-transaction',
    says: 'In receipts of a block the logs of each transaction are counted from 0.',
    breaks: 'blocks-are-executed',
    plant: () =>
      answering('eth_getBlockReceipts', (methods) => async (params, context) => {
        const receipts = readJson(await methods.eth_getBlockReceipts!(params, context))
        const counted = (receipts as { logs: object[] }[] | null)?.map((each) => ({
          ...each,
          logs: each.logs.map((log, index) => ({ ...log, logIndex: `0x${index.toString(16)}` })),
        }))
        return counted ?? null
      }),
  },
  {
    name: 'finalizes-what-is-only-safe',
    says: 'A block is told as final as soon as it is safe.',
    breaks: 'final-is-final',
    plant: () => ({
      safeHead: {
        ...safeHeadPart,
        start(context, given) {
          const { node } = given
          const chain = withMembers(node.chain, {
            markSafe(block) {
              node.chain.markSafe(block)
              node.chain.markFinalized(block)
            },
          })
          return safeHeadPart.start(context, { ...given, node: withMembers(node, { chain }) })
        },
      },
    }),
  },
]

/** The pending block that was published last, and the one before it. */
function lastTwo(chain: ChainView): { before: PendingBlock | undefined } {
  const shown: { before: PendingBlock | undefined; now: PendingBlock | undefined } = {
    before: undefined,
    now: chain.pending(),
  }
  chain.on('flashblock', (next) => {
    shown.before = shown.now
    shown.now = next
  })
  return shown
}
