import { ForkError } from '#devnet/base/fork/fork-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { CallMessage } from '#protocol/execution/executor'
import { decodeSubmission } from '../../chain/decode-submission.ts'
import { callEnvironment } from '../calls/call-environment.ts'
import { callMessage } from '../calls/call-message.ts'
import { parseCallObject } from '../calls/call-object.ts'
import type { NodeRpc } from '../node-rpc.ts'
import { parseSubmission } from '../parse-submission.ts'
import { requireBlock } from '../selector/find-block.ts'

type Methods = Record<string, RpcMethod>

/** How to read what would be sent from what is asked. */
const SENDS: Record<string, (first: unknown) => CallMessage> = {
  eth_sendRawTransaction: messageOf,
  eth_sendRawTransactionSync: messageOf,
  eth_sendTransaction: (request) => callMessage(parseCallObject(request, 'transaction')),
}

/**
 * On a fork a transaction is tried as a call before the pool takes it: what it reads of the other chain is
 * at hand then, and no block waits for the network. Where that chain cannot be asked, the sender hears it.
 */
export function triedFirst(rpc: NodeRpc, methods: Methods): Methods {
  const tried = Object.entries(SENDS).flatMap(([name, read]): [string, RpcMethod][] => {
    const method = methods[name]
    if (!method) return []
    const send: RpcMethod = async (params, context) => {
      try {
        await tryIt(rpc, read(Array.isArray(params) ? params[0] : undefined), context.signal)
      } catch (error) {
        // That it would fail, or cannot be read, is for the method to say.
        if (error instanceof ForkError) throw error
      }
      return await method(params, context)
    }
    return [[name, send]]
  })
  return Object.fromEntries(tried)
}

async function tryIt(rpc: NodeRpc, message: CallMessage, signal: AbortSignal): Promise<void> {
  const { header } = requireBlock(rpc, 'pending')
  const environment = callEnvironment(header, {})
  const request = { stateRoot: header.stateRoot, environment, message, stateOverrides: [] }
  await rpc.runner.call(request, signal)
}

function messageOf(first: unknown): CallMessage {
  const { from, to, data, value, gas } = decodeSubmission(parseSubmission(first, 'transaction'))
  return { from, to, data, value, gas }
}
