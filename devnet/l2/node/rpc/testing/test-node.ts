import { hexToBytes } from '@ethereumjs/util'
import { type Hex, pad, type TransactionSerializable, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import { type NodeMethodsOptions, nodeMethods } from '../node-methods.ts'
import { createInlineRunners } from '../runners/create-inline-runners.ts'
import { type ChainByHand, createChainByHand } from './chain-by-hand.ts'
import { CONTRACTS } from './contracts.ts'

export const CONFIG: ExecutionConfig = { chainId: 84_538_453n, fork: 'jovian' }
export const ETHER = 10n ** 18n

/** Two funded accounts. */
export const ALICE = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
export const BOB = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
export const alice = ALICE.address.toLowerCase() as Hex
export const bob = BOB.address.toLowerCase() as Hex

/** 32 bytes of hex. */
export const word = (value: bigint | number | Hex): Hex =>
  pad(typeof value === 'string' ? value : toHex(value), { size: 32 })

export interface TestNode {
  chain: ChainByHand
  methods: ReturnType<typeof nodeMethods>
  /** Calls a method as the server would. @throws JsonRpcError */
  rpc(method: string, ...params: unknown[]): Promise<never>
  /** Signs a transaction of ALICE with her next nonce. */
  sign(transaction: Partial<TransactionSerializable>, account?: typeof ALICE): Promise<Uint8Array>
}

export async function createTestNode(
  options: Partial<NodeMethodsOptions> = {},
  config = CONFIG,
): Promise<TestNode> {
  const chain = await createChainByHand(config, {
    ...CONTRACTS,
    [alice]: { balance: 1000n * ETHER },
    [bob]: { balance: 1000n * ETHER },
  })
  const runners = await createInlineRunners(options.chain ?? chain, config)
  const clock = new VirtualClock()
  const methods = nodeMethods({ chain, config, ...runners, clock, ...options })
  const nonces = new Map<string, number>()
  return {
    chain,
    methods,
    async rpc(method, ...params) {
      const context: RpcContext = { signal: new AbortController().signal }
      const result = await methods[method]!(params, context)
      return JSON.parse(JSON.stringify(result ?? null)) as never
    },
    async sign(transaction, account = ALICE) {
      const nonce = nonces.get(account.address) ?? 0
      nonces.set(account.address, nonce + 1)
      const raw = await account.signTransaction({
        chainId: Number(config.chainId),
        type: 'eip1559',
        nonce,
        gas: 500_000n,
        maxFeePerGas: 5_000_000_000n,
        maxPriorityFeePerGas: 7n,
        ...transaction,
      } as never)
      return hexToBytes(raw)
    },
  }
}

/** The code, message and data of the error a call must fail with. */
export async function errorOf(work: Promise<unknown>) {
  try {
    await work
  } catch (error) {
    if (error instanceof JsonRpcError) {
      return { code: error.rpcCode, message: error.message, data: error.data }
    }
    throw error
  }
  throw new Error('The call did not fail.')
}
