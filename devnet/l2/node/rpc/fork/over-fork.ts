import { ForkError } from '#devnet/base/fork/fork-error'
import type { OpenedFork } from '#devnet/base/fork/open-fork'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { methodsFrom } from '#devnet/base/json-rpc/methods-from'
import { readFetching } from '../../state/read-fetching.ts'
import type { NodeRpc } from '../node-rpc.ts'
import { belowFork } from './below-fork.ts'
import { triedFirst } from './tried-first.ts'

type Methods = Record<string, RpcMethod>

/** Of a fork only what was read is known: nobody can show how it follows from a root. */
const WITHOUT_PROOFS = [
  'eth_getProof',
  'debug_executionWitness',
  'debug_executionWitnessByBlockHash',
  'anvil_dumpState',
  'hardhat_dumpState',
]

/**
 * The same methods where the chain begins upon another one: what they miss of its state is fetched, blocks
 * below are the other chain's, and what a fork cannot have says so. Without a fork: as they are.
 */
export function overFork(rpc: NodeRpc, methods: Methods): Methods {
  const { fork } = rpc
  if (!fork) return methods
  const changed = { ...methods, ...withoutProofs(methods), ...triedFirst(rpc, methods) }
  const all = { ...changed, ...belowFork(rpc, fork, changed) }
  if (all.anvil_setRpcUrl) all.anvil_setRpcUrl = (params) => moveTo(fork, params)
  return methodsFrom(
    all,
    (method) => (params, context) =>
      readFetching(rpc.chain.store, async () => await method(params, context)).catch(asRefusal),
  )
}

function withoutProofs(methods: Methods): Methods {
  const refuse = () => {
    throw new ForkError(
      'FORK_NOT_PROVABLE',
      'A fork has no proofs and no whole state to dump: its root is that of its own changes.',
      {
        hint: 'Ask the forked chain itself, or take a devnet without --fork-url.',
      },
    )
  }
  const names = WITHOUT_PROOFS.filter((name) => name in methods)
  return Object.fromEntries(names.map((name) => [name, refuse]))
}

/** `anvil_setRpcUrl [url]` */
async function moveTo(fork: OpenedFork, params: unknown): Promise<null> {
  const [url] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new JsonRpcError(-32602, 'Invalid params', 'url: must be the URL of the forked chain')
  }
  await fork.moveTo(url)
  return null
}

function asRefusal(error: unknown): never {
  if (!(error instanceof ForkError)) throw error
  throw new JsonRpcError(-32000, `${error.code}: ${error.message}`, error.hint)
}
