import {
  decodeEventLog,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
} from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { l2ToL1MessagePasserAbi } from '#fixtures/contracts/L2ToL1MessagePasser.abi'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { MESSAGE_PASSER } from '../model/predeploys.ts'
import type { GameWatcher } from './game-watcher.ts'
import type { Service, TrackedRequests } from './tracked-requests.ts'

/** Nobody else sends with it on L1. */
const SENDER = 8
const WHO = 'withdrawer'
const ZERO: Hex = `0x${'00'.repeat(32)}`
/** Seconds in which a game may be disputed, and more than what follows it. */
const GAME = 5 * 86_400
const DELAY = 100
/** Wei per gas: more than L1 ever asks for. */
const MOST_FEE = 10_000_000_000_000n
const GAS = 2_000_000n
const SUCCESS = '0x1'

/** Takes a withdrawal to its end, where L1's time may be let pass by hand: after the weather, for L2 does not follow. */
export class Withdrawer {
  readonly #world: World
  readonly #requests: TrackedRequests
  readonly #games: GameWatcher
  readonly #account: LocalAccount

  constructor(world: World, requests: TrackedRequests, games: GameWatcher) {
    this.#world = world
    this.#requests = requests
    this.#games = games
    this.#account = accountOf(world.facts.accounts[SENDER]!.privateKey)
  }

  /** Proves the last withdrawal that the oldest game knows, wins the game, and asks for the ether twice. */
  async settle(): Promise<Error | undefined> {
    try {
      const game = this.#games.oldest
      const withdrawal = game && (await this.#last(game.block))
      if (!game || !withdrawal) return undefined
      const { withdrawalHash: hash, ...rest } = withdrawal
      const proof = await this.#proof(hash, game.block)
      const portal = this.#world.facts.contracts.optimismPortal
      const prove = encodeFunctionData({
        ...{ abi: optimismPortalAbi, functionName: 'proveWithdrawalTransaction' },
        args: [rest, BigInt(game.index), proof.root, proof.storage],
      })
      const finalize = encodeFunctionData({
        ...{ abi: optimismPortalAbi, functionName: 'finalizeWithdrawalTransaction', args: [rest] },
      })
      await this.#send(portal, prove, 1)
      const resolve = encodeFunctionData({ abi: aggregateVerifierAbi, functionName: 'resolve' })
      await this.#send(game.address, resolve, GAME)
      const before = await this.#balance(rest.target)
      await this.#send(portal, finalize, DELAY)
      const gained = (await this.#balance(rest.target)) - before
      this.#world.recorder.record(WHO, 'withdrawal.paid', {
        hash,
        gained: `0x${gained.toString(16)}`,
      })
      const again = await this.#send(portal, finalize, 1, false)
      return again === SUCCESS ? new Error('L1 paid the same withdrawal twice.') : undefined
    } catch (error) {
      return error as Error
    }
  }

  async #last(block: number) {
    const range = { fromBlock: '0x1', toBlock: hex(block), address: MESSAGE_PASSER }
    const logs = await this.#ask<{ topics: [Hex, ...Hex[]]; data: Hex }[]>('l2', 'eth_getLogs', [
      range,
    ])
    const log = logs.at(-1)
    return (
      log &&
      decodeEventLog({ abi: l2ToL1MessagePasserAbi, eventName: 'MessagePassed', ...log }).args
    )
  }

  async #proof(withdrawal: Hex, number: number) {
    const words = [{ type: 'bytes32' }, { type: 'uint256' }]
    const slot = keccak256(encodeAbiParameters(words, [withdrawal, 0n]))
    const { storageHash, storageProof } = await this.#ask<{
      storageHash: Hex
      storageProof: { proof: Hex[] }[]
    }>('l2', 'eth_getProof', [MESSAGE_PASSER, [slot], hex(number)])
    const asked = [hex(number), false]
    const { stateRoot, hash } = await this.#ask<{ stateRoot: Hex; hash: Hex }>(
      'l2',
      'eth_getBlockByNumber',
      asked,
    )
    return {
      root: {
        version: ZERO,
        stateRoot,
        messagePasserStorageRoot: storageHash,
        latestBlockhash: hash,
      },
      storage: storageProof[0]!.proof,
    }
  }

  /**
   * Sends it in a block of its own, so many seconds after the last.
   * @returns its status
   * @throws Error where it must succeed, and fails
   */
  async #send(to: Hex, data: Hex, after: number, mustSucceed = true): Promise<Hex> {
    const asked = [this.#account.address, 'pending']
    const nonce = Number(await this.#ask<Hex>('l1', 'eth_getTransactionCount', asked))
    const fees = { maxFeePerGas: MOST_FEE, maxPriorityFeePerGas: 1_000_000_000n }
    const chainId = this.#world.facts.l1ChainId
    const raw = await this.#account.signTransaction({
      ...{ chainId, type: 'eip1559', nonce, gas: GAS, ...fees, to, data },
    })
    const hash = await this.#ask<Hex>('l1', 'eth_sendRawTransaction', [raw])
    const { timestamp } = await this.#ask<{ timestamp: Hex }>('l1', 'eth_getBlockByNumber', [
      'latest',
      false,
    ])
    await this.#ask('l1', 'evm_mine', [Number(timestamp) + after])
    const receipt = await this.#ask<{ status: Hex } | null>('l1', 'eth_getTransactionReceipt', [
      hash,
    ])
    if (mustSucceed && receipt?.status !== SUCCESS)
      throw new Error(`L1 has ${hash} as ${receipt?.status}.`)
    return receipt?.status ?? '0x'
  }

  async #balance(of: Hex): Promise<bigint> {
    return BigInt(await this.#ask<Hex>('l1', 'eth_getBalance', [of, 'latest']))
  }

  async #ask<T>(to: Extract<Service, 'l1' | 'l2'>, method: string, params: unknown[]): Promise<T> {
    const { result, error } = await this.#requests.rpc(WHO, to, method, params)
    if (error) throw error
    return result as T
  }
}

const hex = (number: number): Hex => `0x${number.toString(16)}`
