import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  slice,
  zeroAddress,
} from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import type { TrackedRequests } from './tracked-requests.ts'

/** In the order of the contract's enum. */
const STATUSES = ['IN_PROGRESS', 'CHALLENGER_WINS', 'DEFENDER_WINS'] as const

interface SeenGame {
  address: Hex
  /** Of its end. */
  block: number
  /** Of its beginning, and what it claims in between, the last of its end. */
  start: number
  roots: readonly Hex[]
  claimIsTrue: boolean
  status: (typeof STATUSES)[number]
  /** Whether a proof still stands for it. */
  isProven: boolean
}

type Ask = <T>(to: Hex, abi: readonly unknown[], name: string, args?: unknown[]) => Promise<T>

/**
 * Looks at the games on L1 as a stranger would, holds each claim against what the rollup says of its
 * blocks, and tells the recorder of every game that is new, or that changed: `game`.
 */
export class GameWatcher {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Those that may still change, by their index in the factory. */
  readonly #open = new Map<number, SeenGame>()
  readonly #irrefutable = new Set<string>()
  #next = 0

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
  }

  /** Nobody can prove what is true instead of this game. */
  excuse(game: Hex): void {
    this.#irrefutable.add(game)
  }

  /** Whether a false claim still has a proof that somebody could take from it. */
  get isDeceived(): boolean {
    return [...this.#open.values()].some(
      ({ address, claimIsTrue, isProven }) =>
        !claimIsTrue && isProven && !this.#irrefutable.has(address.toLowerCase()),
    )
  }

  /** The last block that anybody claimed. */
  get newest(): number {
    return Math.max(0, ...[...this.#open.values()].map(({ block }) => block))
  }

  /** The first true one that may still be won. */
  get oldest(): { index: number; address: Hex; block: number } | undefined {
    const games = [...this.#open].map(([index, game]) => ({ index, ...game }))
    return games.find(({ claimIsTrue, isProven }) => claimIsTrue && isProven)
  }

  /** One look; what cannot be read is looked at again next time. */
  async look(): Promise<Error | undefined> {
    try {
      const factory = this.#world.facts.contracts.disputeGameFactory
      const count = Number(await this.#read(factory, disputeGameFactoryAbi, 'gameCount'))
      this.#forget(count)
      for (; this.#next < count; this.#next++) await this.#meet(this.#next)
      for (const [index, game] of this.#open) await this.#visit(index, game)
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  /** L1 took the newest games away; others may come at their places. */
  #forget(count: number): void {
    for (const [index, { address }] of this.#open) {
      if (index < count) continue
      this.#open.delete(index)
      this.#world.recorder.record('observer', 'game.gone', { address })
    }
    this.#next = Math.min(this.#next, count)
  }

  async #addressAt(index: number): Promise<Hex> {
    const factory = this.#world.facts.contracts.disputeGameFactory
    const args = [BigInt(index)]
    type Listed = [number, bigint, Hex]
    const game = await this.#read<Listed>(factory, disputeGameFactoryAbi, 'gameAtIndex', args)
    return game[2]
  }

  async #meet(index: number): Promise<void> {
    const address = await this.#addressAt(index)
    const block = Number(await this.#of<bigint>(address, 'l2SequenceNumber'))
    const claim = await this.#claim(address)
    const claimIsTrue = await this.#isTrue(claim, block)
    const now = await this.#state(address)
    this.#open.set(index, { address, block, ...claim, claimIsTrue, ...now })
    this.#tell(index)
  }

  async #visit(index: number, seen: SeenGame): Promise<void> {
    const now = await this.#state(seen.address).catch(async (error) => {
      if ((await this.#addressAt(index)) === seen.address) throw error
    })
    // As many came as L1 took away, and between two looks.
    if (!now) return this.#forget(index)
    if (now.status === seen.status && now.isProven === seen.isProven) return
    this.#open.set(index, { ...seen, ...now })
    this.#tell(index)
  }

  #tell(index: number): void {
    const game = this.#open.get(index)!
    this.#world.recorder.record('observer', 'game', { ...game })
    if (game.status !== 'IN_PROGRESS') this.#open.delete(index)
  }

  async #state(address: Hex): Promise<Pick<SeenGame, 'status' | 'isProven'>> {
    const status = STATUSES[await this.#of<number>(address, 'status')]!
    const isProven =
      (await this.#of<Hex>(address, 'teeProver')) !== zeroAddress ||
      (await this.#of<Hex>(address, 'zkProver')) !== zeroAddress
    return { status, isProven }
  }

  async #claim(address: Hex): Promise<Pick<SeenGame, 'start' | 'roots'>> {
    const [, start] = await this.#of<[Hex, bigint]>(address, 'startingOutputRoot')
    const packed = await this.#of<Hex>(address, 'intermediateOutputRoots')
    const roots = Array.from({ length: (packed.length - 2) / 64 }, (_, at) =>
      slice(packed, 32 * at, 32 * (at + 1)),
    )
    return { start: Number(start), roots }
  }

  /** Whether every root that it claims is the rollup's own. */
  async #isTrue(
    { start, roots }: Pick<SeenGame, 'start' | 'roots'>,
    block: number,
  ): Promise<boolean> {
    const interval = (block - start) / roots.length
    for (const [at, claimed] of roots.entries()) {
      const number = numberToHex(start + (at + 1) * interval)
      const { result, error } = await this.#requests.rpc('observer', 'rollup', OUTPUT, [number])
      if (error) throw error
      if ((result as { outputRoot: Hex }).outputRoot !== claimed) return false
    }
    return true
  }

  #of<T>(game: Hex, name: string): Promise<T> {
    return this.#read<T>(game, aggregateVerifierAbi, name)
  }

  readonly #read: Ask = async <T>(
    to: Hex,
    abi: readonly unknown[],
    name: string,
    args = [] as unknown[],
  ) => {
    const call = { abi, functionName: name, args } as never
    const asked = [{ to, data: encodeFunctionData(call) }, 'latest']
    const { result, error } = await this.#requests.rpc('observer', 'l1', 'eth_call', asked)
    if (error) throw error
    return decodeFunctionResult({ abi, functionName: name, data: result } as never) as T
  }
}

const OUTPUT = 'optimism_outputAtBlock'
