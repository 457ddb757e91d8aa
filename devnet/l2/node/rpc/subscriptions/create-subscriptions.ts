import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcConnection, RpcContext, RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { JsonText } from '#devnet/base/json-rpc/json-text'
import { quote } from '#devnet/base/json-rpc/params/hex-digits'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeRpc } from '../node-rpc.ts'
import { isPreconfirmed } from '../selector/block-to-come.ts'
import type { OpenSubscription, SubscriptionList } from '../watching/subscription-list.ts'
import { FanOut } from './fan-out.ts'
import { logs } from './logs.ts'
import { newFlashblockTransactions } from './new-flashblock-transactions.ts'
import { newFlashblocks } from './new-flashblocks.ts'
import { newHeads } from './new-heads.ts'
import { newPendingTransactions } from './new-pending-transactions.ts'
import { pendingLogs } from './pending-logs.ts'
import type { SubscriptionKind } from './subscription-kind.ts'
import { syncing } from './syncing.ts'
import { transactionReceipts } from './transaction-receipts.ts'

/** As jsonrpsee, under Base's nodes. */
const MAX_PER_CONNECTION = 1024

const SEALED_KINDS: Record<string, SubscriptionKind> = {
  newHeads,
  logs,
  newPendingTransactions,
  syncing,
  transactionReceipts,
}
const PRECONFIRMED_KINDS: Record<string, SubscriptionKind> = {
  pendingLogs,
  newFlashblocks,
  newFlashblockTransactions,
}

/**
 * `eth_subscribe [kind, options?]` → id and `eth_unsubscribe [id]` → whether it was there
 * (OPEN-38). Subscriptions end with their connection.
 * @throws JsonRpcError -32602; -32006 for one too many on a connection or over all; the methods do
 */
export function createSubscriptions(
  rpc: NodeRpc,
  opened: SubscriptionList,
): Record<'eth_subscribe' | 'eth_unsubscribe', RpcMethod> {
  // Denim retires what only pre-confirmations give: it is still accepted, and silent from then on.
  const all = { ...SEALED_KINDS, ...PRECONFIRMED_KINDS }
  const offered = () => (rpc.preconfirmations || !isPreconfirmed(rpc) ? all : SEALED_KINDS)
  const connections = new WeakMap<RpcConnection, Map<string, () => void>>()
  const fanOut = new FanOut(rpc.machine)
  let lastId = 0

  const running = (connection: RpcConnection): Map<string, () => void> => {
    const known = connections.get(connection)
    if (known) return known
    const stops = new Map<string, () => void>()
    connections.set(connection, stops)
    connection.onClose(() => {
      for (const stop of stops.values()) stop()
    })
    return stops
  }
  return {
    eth_subscribe(params, context) {
      const connection = requireConnection(context)
      const [kind, options] = positional(params)
      const kinds = offered()
      const start = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
      if (!start) {
        throw invalidParams(`subscription: ${quote(String(kind))} is not one of ${list(kinds)}`)
      }
      const stops = running(connection)
      if (stops.size >= MAX_PER_CONNECTION) {
        const data = `Exceeded max limit of ${MAX_PER_CONNECTION}`
        throw new JsonRpcError(-32006, 'Too many subscriptions on the connection', data)
      }
      if (opened.isFull) {
        const data = `Exceeded max limit of ${opened.most} over all connections`
        throw new JsonRpcError(-32006, 'Too many subscriptions on the node', data)
      }
      const id: OpenSubscription['id'] = `0x${(++lastId).toString(16)}`
      const since = rpc.clock.now()
      const open = { id, kind: String(kind), options: options ?? null, since, sent: 0 }
      const isPreconfirming = Object.hasOwn(PRECONFIRMED_KINDS, open.kind)
      const emit = (result: unknown) => {
        if (isPreconfirming && !rpc.preconfirmations) return
        open.sent += 1
        const text = result instanceof JsonText ? result.text : JSON.stringify(result)
        const params = new JsonText(`{"subscription":"${id}","result":${text}}`)
        connection.notify('eth_subscription', params)
      }
      const end = start(rpc, options, emit, fanOut.on(rpc.chain, connection))
      opened.add(open)
      stops.set(id, () => {
        end()
        opened.remove(open)
      })
      return id
    },
    eth_unsubscribe(params, context) {
      const [id] = positional(params)
      if (typeof id !== 'string') throw invalidParams('id: must be a string')
      const stops = running(requireConnection(context))
      stops.get(id)?.()
      return stops.delete(id)
    },
  }
}

function requireConnection({ connection }: RpcContext): RpcConnection {
  if (connection) return connection
  throw new JsonRpcError(-32603, 'Internal error', 'Subscriptions need a WebSocket connection.')
}

function list(kinds: object): string {
  return Object.keys(kinds).join(', ')
}
