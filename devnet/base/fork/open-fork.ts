import { join } from 'node:path'
import type { Clock } from '#protocol/clock/clock'
import type { Hash } from '#protocol/types/bytes'
import { cacheFolder } from '../process/own-folder.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { cachedBlocks, cacheFile, ForkCache } from './fork-cache.ts'
import { ForkError } from './fork-error.ts'
import { ForkedState } from './forked-state.ts'
import { RemoteClient } from './remote-client.ts'
import type { RemoteFork } from './remote-fork.ts'

/** The block that a fork starts from. */
export interface ForkedBlock {
  number: bigint
  hash: Hash
  /** Seconds. */
  timestamp: bigint
  gasLimit: bigint
  /** Wei; 0 where the chain has none. */
  baseFeePerGas: bigint
}

/** A remote chain at one block. */
export interface OpenedFork extends OwnedResource {
  readonly chainId: number
  readonly block: ForkedBlock
  readonly state: ForkedState
  /** Of the URL that is asked; the rest of it may hold a key. */
  origin(): string
  /**
   * What the remote answers; of what lies below the forked block, so that it is kept once it is there.
   * @throws ForkError
   */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  /** Of a block up to the forked one, kept as well. @throws ForkError */
  hashOf(number: bigint): Promise<Hash>
  /** The same chain at another URL; headers are not sent there. @throws ForkError */
  moveTo(url: string): Promise<void>
}

/**
 * Opens a block of a remote chain to start from. Where the cache knows the block, the remote need not
 * answer; where it answers, and with another block, the cache is of another chain and begins anew.
 *
 * @throws ForkError FORK_REMOTE_UNREACHABLE, FORK_REMOTE_REFUSED, FORK_BLOCK_MISSING, FORK_CACHE_UNUSABLE
 * @example
 * const fork = await openFork({ url: 'http://127.0.0.1:8545', block: 12 }, systemClock)
 * await fork.state.fetch('0x4200000000000000000000000000000000000006')
 * await fork.stop()
 */
export async function openFork(remote: RemoteFork, clock: Clock): Promise<OpenedFork> {
  const client = new RemoteClient({ remote, clock })
  const folder = remote.cache === false ? undefined : (remote.cache ?? join(cacheFolder(), 'forks'))
  let cache: ForkCache | undefined
  try {
    const number =
      remote.block === undefined
        ? await newestBlock(client, folder === undefined ? [] : cachedBlocks(folder, remote.url))
        : BigInt(remote.block)
    cache = new ForkCache(folder === undefined ? '' : cacheFile(folder, remote.url, number))
    const { chainId, block } = await identify(client, cache, number)
    return { chainId, block, ...served(client, cache, block, clock) }
  } catch (error) {
    client.stop()
    cache?.close()
    throw error
  }
}

function served(
  client: RemoteClient,
  cache: ForkCache,
  block: ForkedBlock,
  clock: Clock,
): Omit<OpenedFork, 'chainId' | 'block'> {
  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const question = JSON.stringify([method, params])
    const known = cache.answer(question)
    if (known) return known.value
    const value = await client.request(method, params)
    if (value !== null) cache.putAnswer(question, value)
    return value
  }

  return {
    state: new ForkedState(client, cache, block.number),
    origin: () => client.origin,
    ask,
    async hashOf(number) {
      return readBlock(await ask('eth_getBlockByNumber', at(number))).hash
    },
    async moveTo(url) {
      const other = new RemoteClient({ remote: { url }, clock })
      const { hash } = readBlock(await other.request('eth_getBlockByNumber', at(block.number)))
      if (hash !== block.hash)
        throw missing(block.number, `it has ${hash} there, not ${block.hash}`)
      client.moveTo(url)
    },
    async stop() {
      client.stop()
      cache.close()
    },
  }
}

async function newestBlock(client: RemoteClient, known: bigint[]): Promise<bigint> {
  try {
    return BigInt((await client.request('eth_blockNumber', [])) as string)
  } catch (error) {
    if (!(error instanceof ForkError) || known.length === 0) throw error
    throw new ForkError(error.code, error.message, {
      hint: `These blocks are in the cache and need no network: ${known.join(', ')}. Name one by --fork-block.`,
      cause: error,
    })
  }
}

interface Identity {
  chainId: number
  block: ForkedBlock
}

async function identify(client: RemoteClient, cache: ForkCache, number: bigint): Promise<Identity> {
  const questions = [
    ['eth_chainId', []],
    ['eth_getBlockByNumber', at(number)],
  ] as const
  const known = questions.map((question) => cache.answer(JSON.stringify(question)))
  const before = known.every((answer) => answer !== undefined)
    ? identity(known.map(({ value }) => value))
    : undefined
  let answers: unknown[]
  try {
    const attempts = before ? 1 : undefined
    answers = await Promise.all(
      questions.map(([method, params]) => client.request(method, params, attempts)),
    )
  } catch (error) {
    if (!before) throw error
    return before
  }
  if (!answers[1]) throw missing(number, 'it does not have it')
  const found = identity(answers)
  if (before?.block.hash === found.block.hash && before.chainId === found.chainId) return found
  cache.clear()
  for (const [index, question] of questions.entries()) {
    cache.putAnswer(JSON.stringify(question), answers[index])
  }
  return found
}

function identity([chainId, block]: unknown[]): Identity {
  return { chainId: Number(chainId), block: readBlock(block) }
}

function readBlock(answer: unknown): ForkedBlock {
  const { number, hash, timestamp, gasLimit, baseFeePerGas } = Object(answer) as Record<
    string,
    string
  >
  try {
    return {
      hash: hash as Hash,
      number: BigInt(number!),
      timestamp: BigInt(timestamp!),
      gasLimit: BigInt(gasLimit!),
      baseFeePerGas: BigInt(baseFeePerGas ?? 0),
    }
  } catch (cause) {
    throw new ForkError('FORK_REMOTE_REFUSED', 'The forked chain answers what is no block.', {
      hint: 'Is --fork-url the JSON-RPC of an Ethereum-like chain?',
      cause,
    })
  }
}

function missing(number: bigint, why: string): ForkError {
  return new ForkError(
    'FORK_BLOCK_MISSING',
    `Block ${number} of the forked chain cannot be had: ${why}.`,
    {
      hint: 'Name a block that the chain has, by --fork-block; without one it is the newest.',
    },
  )
}

function at(number: bigint): readonly [string, boolean] {
  return [`0x${number.toString(16)}`, false]
}
