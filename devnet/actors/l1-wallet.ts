import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem'
import { type RpcClient, RpcUnreachable } from '#devnet/base/json-rpc/http-rpc-client'
import { type L1Transaction, signL1Transaction } from '#devnet/l1/sign-l1-transaction'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'
import { RpcTimeout } from './actor-client.ts'
import { l1Client } from './l1-client.ts'
import { asReverted, contractErrors, L1Reverted } from './l1-reverted.ts'

export interface L1WalletOptions {
  rpc: RpcClient
  address: Address
  privateKey: Hex
  clock: Clock
  signal: AbortSignal
  /** Lets time pass until L1 may have another block. Default: half a second on the clock. */
  nextBlock?: (() => Promise<unknown>) | undefined
}

/** A call that changes state, as viem writes it. */
export interface ContractCall<abi extends Abi, name extends ContractFunctionName<abi>> {
  address: Address
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, 'nonpayable' | 'payable', name>
  value?: bigint
  /** Gas limit. Default: half as much again as the node's estimate. */
  gas?: bigint
}

export interface L1Receipt {
  hash: Hash
  blockNumber: number
}

export interface L1Wallet {
  readonly address: Address
  /**
   * Tries the call, sends it and waits until it is mined.
   * @throws L1Reverted before anything is sent, or when it reverts in its block; NotMined
   */
  send<const abi extends Abi, name extends ContractFunctionName<abi>>(
    call: ContractCall<abi, name>,
  ): Promise<L1Receipt>
  /**
   * Whether L1 has a transaction of this account in no block yet. Sent before a crash, it may be the very call that
   * is to be made now.
   */
  isWaiting(): Promise<boolean>
  /** Waits until the block of that number has a successor in which its hash can be read. */
  untilAbove(block: bigint): Promise<void>
  /** Waits until L1's newest block is later than a time, in seconds. */
  untilLater(time: bigint): Promise<void>
}

interface Transaction {
  to: Address
  data: Hex
  value: bigint
  gas: bigint | undefined
}

/** One of the forms in which a transaction was sent; they differ in their fees, or in their nonce. */
interface Sent {
  transaction: L1Transaction
  hash: Hash
}

const TIP = 1_000_000_000n
/** Milliseconds to wait for a block. */
const MINING_TIMEOUT = 600_000
const POLL_INTERVAL = 500

/**
 * Sends transactions of one account on L1, one at a time.
 * @throws NotMined, L1Reverted; its methods do
 */
export function l1Wallet(options: L1WalletOptions): L1Wallet {
  const { rpc, address, privateKey, clock, signal } = options
  const client = l1Client(rpc)
  const { nextBlock = () => sleep(clock, POLL_INTERVAL, signal) } = options

  /** Looks until there is something to see. */
  async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const deadline = clock.now() + MINING_TIMEOUT
    for (;;) {
      const seen = await look()
      if (seen !== undefined) return seen
      if (clock.now() >= deadline) throw new NotMined(what, MINING_TIMEOUT / 1000)
      await nextBlock()
    }
  }

  async function estimateGas(to: Address, data: Hex, value: bigint): Promise<bigint> {
    const call = { from: address, to, data, value: numberToHex(value) }
    // State may change until the transaction is in its block.
    return (BigInt((await rpc.request('eth_estimateGas', [call])) as Hex) * 3n) / 2n
  }

  async function baseFee(): Promise<bigint> {
    const block = await rpc.request('eth_getBlockByNumber', ['latest', false])
    return BigInt((block as { baseFeePerGas: Hex }).baseFeePerGas)
  }

  async function nextNonce(at: 'latest' | 'pending' = 'pending'): Promise<number> {
    return Number(await rpc.request('eth_getTransactionCount', [address, at]))
  }

  async function post(transaction: L1Transaction): Promise<Sent> {
    const { raw, hash } = signL1Transaction(transaction, privateKey)
    await rpc.request('eth_sendRawTransaction', [raw])
    return { transaction, hash }
  }

  /** Where the answer is lost L1 may have it: given up, the call would be made again, and both would land. */
  async function postFirst(transaction: L1Transaction): Promise<Sent> {
    const { raw, hash } = signL1Transaction(transaction, privateKey)
    try {
      await unlessUnanswered(rpc.request('eth_sendRawTransaction', [raw]))
    } catch (error) {
      // Sent once more by its connection, it is refused as one that L1 has already.
      const known = await unlessUnanswered(rpc.request('eth_getTransactionByHash', [hash]))
      if (!known) throw error
    }
    return { transaction, hash }
  }

  async function unlessUnanswered<T>(asking: Promise<T>): Promise<T | undefined> {
    try {
      return await asking
    } catch (error) {
      const isUnanswered = error instanceof RpcUnreachable || error instanceof RpcTimeout
      if (signal.aborted || !isUnanswered) throw error
      return undefined
    }
  }

  async function sendFirst({ to, data, value, gas: limit }: Transaction): Promise<Sent> {
    const [chainId, nonce, gas, fee] = await Promise.all([
      rpc.request('eth_chainId', []),
      nextNonce(),
      limit ?? estimateGas(to, data, value),
      baseFee(),
    ])
    return await postFirst({
      ...{ chainId: Number(chainId), nonce, to, data, value, gas },
      maxFeePerGas: 2n * fee + TIP,
      maxPriorityFeePerGas: TIP,
    })
  }

  /** The same again where the base fee has passed what it offers: else it waits until the fee falls. */
  async function sendDearer({ transaction }: Sent): Promise<Sent | undefined> {
    const fee = await baseFee()
    if (fee <= transaction.maxFeePerGas) return undefined
    // A node takes another in its place only where both fees are a tenth higher.
    const tip = 2n * transaction.maxPriorityFeePerGas
    const dearer = { maxFeePerGas: 2n * fee + tip, maxPriorityFeePerGas: tip }
    try {
      return await post({ ...transaction, ...dearer })
    } catch {
      // It was mined meanwhile; or nobody answers, and the next look tries again.
      return undefined
    }
  }

  /** The same again where L1 counts it no longer: a reorganization took it out, or one before it. */
  async function sendAgain({ transaction }: Sent): Promise<Sent | undefined> {
    const nonce = await nextNonce()
    if (nonce > transaction.nonce) return undefined
    try {
      return await post({ ...transaction, nonce })
    } catch {
      // It is in the pool after all; or nobody answers, and the next look tries again.
      return undefined
    }
  }

  async function receiptOf({ hash }: Sent) {
    const found = await rpc.request('eth_getTransactionReceipt', [hash])
    return found ? { hash, ...(found as { status: Hex; blockNumber: Hex }) } : undefined
  }

  return {
    address,
    async send(call) {
      const { address: to, functionName, value = 0n, gas } = call
      const abi = [...call.abi, ...contractErrors]
      try {
        await client.simulateContract({ ...call, abi, account: address } as never)
      } catch (error) {
        throw asReverted(functionName, error)
      }
      const data = encodeFunctionData(call as never)
      const first = await sendFirst({ to, data, value, gas })
      const sent = [first]
      const look = async () => {
        for (const each of sent) {
          const found = await receiptOf(each)
          if (found) return found
        }
        const newest = sent.at(-1)!
        const next = (await sendDearer(newest)) ?? (await sendAgain(newest))
        if (next && sent.every(({ hash }) => hash !== next.hash)) sent.push(next)
        return undefined
      }
      const receipt = await until(`${functionName} ${first.hash}`, () => unlessUnanswered(look()))
      if (BigInt(receipt.status) !== 1n) throw new L1Reverted(functionName, undefined)
      return { hash: receipt.hash, blockNumber: Number(receipt.blockNumber) }
    },
    async isWaiting() {
      const [mined, sent] = await Promise.all([nextNonce('latest'), nextNonce()])
      return sent > mined
    },
    async untilAbove(block) {
      await until(`the successor of L1 block ${block}`, async () => {
        const head = BigInt((await rpc.request('eth_blockNumber', [])) as Hex)
        return head > block ? head : undefined
      })
    },
    async untilLater(time) {
      await until(`a block after ${time}`, async () => {
        const { timestamp } = await client.getBlock()
        return timestamp > time ? timestamp : undefined
      })
    },
  }
}

export class NotMined extends RollbedError {
  constructor(what: string, seconds: number) {
    super('L1_NOT_MINED', `L1 has not mined ${what} after ${seconds} s.`, {
      hint: 'Check that L1 makes blocks, and that the account can pay.',
    })
  }
}
