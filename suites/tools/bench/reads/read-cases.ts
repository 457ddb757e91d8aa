import { type Hex, keccak256, pad, toHex } from 'viem'
import { userKeys } from '#fixtures/chain/dev-keys'
import { balanceOf, transferData } from '../erc20.ts'
import type { Contestant } from './contestant.ts'
import type { Question } from './load.ts'
import type { ReadCase } from './read-case.ts'
import type { Scene } from './scene.ts'
import { simulationCase } from './simulation-case.ts'
import { hashResult, loopResult, sumResult, workloadCall } from './workload.ts'

type Result = Record<string, Hex> & { transactions: unknown[]; logs: unknown[] }

const VARIANTS = 200
const OWNER = userKeys[0]!.address
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'))
/** A caller that nobody has heard of: its calls cost no nonce and need no funds. */
const CALLER = pad('0xca11', { size: 20 })

/** The pairs of the table, but those that need transactions waiting to be sealed. */
export function sealedReads(scene: Scene): ReadCase[] {
  const { token, workload, holders, blocks } = scene
  const one = (question: Question): ReadCase['questions'] => {
    return () => [question]
  }
  const each = (make: (index: number) => Question): ReadCase['questions'] => {
    return () => Array.from({ length: VARIANTS }, (_, at) => make(at * 5))
  }
  const word = (value: bigint | number) => toHex(value, { size: 32 })
  const workloadCase = (name: string, n: number, expected: Hex): ReadCase => ({
    what: `call: ${name}(${n})`,
    connections: 2,
    questions: one({
      method: 'eth_call',
      params: [{ from: CALLER, to: workload, data: workloadCall(name, BigInt(n)) }, 'latest'],
      isRight: (result) => result === expected,
    }),
  })
  const byBlock = (
    what: string,
    make: (number: Hex, hashes: readonly Hex[]) => Question,
  ): ReadCase => ({
    what,
    questions: async (contestant) => {
      const first = await blockNumberOf(contestant, blocks[0]![0]!)
      return blocks.map((hashes, at) => make(toHex(first + at), hashes))
    },
  })

  return [
    {
      what: 'blockNumber',
      questions: async (contestant) => {
        const now = await contestant.request('eth_blockNumber')
        return [{ method: 'eth_blockNumber', params: [], isRight: (result) => result === now }]
      },
    },
    byBlock('block of 100, hashes', (number, hashes) => ({
      method: 'eth_getBlockByNumber',
      params: [number, false],
      isRight: (block) => shows((block as Result).transactions, hashes),
    })),
    byBlock('block of 100, full', (number, hashes) => ({
      method: 'eth_getBlockByNumber',
      params: [number, true],
      isRight: (block) => shows(hashesOf((block as Result).transactions), hashes),
    })),
    byBlock('receipts of a block of 100', (number, hashes) => ({
      method: 'eth_getBlockReceipts',
      params: [number],
      isRight: (receipts) =>
        shows(
          (receipts as { transactionHash: Hex }[]).map((it) => it.transactionHash),
          hashes,
        ),
    })),
    byBlock('logs of one block, 100 logs', (number, hashes) => ({
      method: 'eth_getLogs',
      params: [{ fromBlock: number, toBlock: number, address: token }],
      isRight: (logs) =>
        shows(
          (logs as { transactionHash: Hex }[]).map((it) => it.transactionHash),
          hashes,
        ),
    })),
    {
      what: 'logs of all blocks by receiver',
      questions: each((at) => ({
        method: 'eth_getLogs',
        params: [
          {
            fromBlock: '0x1',
            toBlock: 'latest',
            topics: [TRANSFER, null, pad(holders[at]!, { size: 32 })],
          },
        ],
        isRight: (logs) => {
          const found = logs as { data: Hex }[]
          return found.length === 1 && BigInt(found[0]!.data) === scene.balanceOf(at)
        },
      })),
    },
    {
      what: 'receipt',
      questions: each((at) => {
        const hash = blocks[Math.floor(at / 100)]![at % 100]!
        return {
          method: 'eth_getTransactionReceipt',
          params: [hash],
          isRight: (receipt) => {
            const { transactionHash, status, logs } = receipt as Result
            return transactionHash === hash && status === '0x1' && logs.length === 1
          },
        }
      }),
    },
    {
      what: 'transaction',
      questions: each((at) => {
        const hash = blocks[Math.floor(at / 100)]![at % 100]!
        return {
          method: 'eth_getTransactionByHash',
          params: [hash],
          isRight: (transaction) => (transaction as { hash: Hex }).hash === hash,
        }
      }),
    },
    {
      what: 'getBalance',
      questions: each((at) => ({
        method: 'eth_getBalance',
        params: [at % 3 ? holders[at]! : workload, 'latest'],
        isRight: (result) => result === '0x0',
      })),
    },
    {
      what: 'getStorageAt',
      questions: each((at) => ({
        method: 'eth_getStorageAt',
        params: [token, scene.balanceSlot(holders[at]!), 'latest'],
        isRight: (result) => result === word(scene.balanceOf(at)),
      })),
    },
    {
      what: 'call: balanceOf, 1,000 holders',
      questions: each((at) => ({
        method: 'eth_call',
        params: [{ from: CALLER, to: token, data: balanceOf(holders[at]!) }, 'latest'],
        isRight: (result) => result === word(scene.balanceOf(at)),
      })),
    },
    workloadCase('loop', 20_000, loopResult(20_000)),
    workloadCase('hash', 5_000, hashResult(5_000)),
    workloadCase('load', 1_000, sumResult(1_000)),
    workloadCase('nest', 300, sumResult(300)),
    {
      what: 'estimateGas of a transfer',
      questions: each((at) => ({
        method: 'eth_estimateGas',
        params: [{ from: OWNER, to: token, data: transferData(holders[at]!, 1n) }],
        // What such a transfer took in a block is 34,000 to 35,000 gas.
        isRight: (result) => Number(result) > 33_000 && Number(result) < 40_000,
      })),
    },
    simulationCase(scene, { blocks: 1, calls: 1 }),
    simulationCase(scene, { blocks: 1, calls: 100 }),
    simulationCase(scene, { blocks: 10, calls: 10 }),
    {
      what: 'trace of a transfer, callTracer',
      connections: 2,
      questions: each((at) => ({
        method: 'debug_traceTransaction',
        params: [blocks[Math.floor(at / 100)]![at % 100]!, { tracer: 'callTracer' }],
        isRight: (trace) => {
          const { type, to, output } = trace as { type: string; to: Hex; output: Hex }
          return type === 'CALL' && to === token.toLowerCase() && BigInt(output) === 1n
        },
      })),
    },
  ]
}

/** Reads of a block under construction that has `hashes`, for each contestant after the same setup. */
export function pendingReads(scene: Scene, hashes: readonly Hex[]): ReadCase[] {
  const { token, holders } = scene
  const size = hashes.length
  const each = (make: (index: number) => Question) => () =>
    Array.from({ length: VARIANTS }, (_, at) => make(at * 5))
  return [
    {
      what: `pending block of ${size}, hashes`,
      questions: () => [
        {
          method: 'eth_getBlockByNumber',
          params: ['pending', false],
          isRight: (block) => shows((block as Result).transactions, hashes),
        },
      ],
    },
    {
      what: `pending block of ${size}, full`,
      questions: () => [
        {
          method: 'eth_getBlockByNumber',
          params: ['pending', true],
          isRight: (block) => shows(hashesOf((block as Result).transactions), hashes),
        },
      ],
    },
    {
      what: `call at pending of ${size}`,
      questions: each((at) => ({
        method: 'eth_call',
        params: [{ from: CALLER, to: token, data: balanceOf(holders[at]!) }, 'pending'],
        isRight: (result) => result === toHex(scene.balanceOf(at), { size: 32 }),
      })),
    },
    {
      what: `getStorageAt at pending of ${size}`,
      questions: each((at) => ({
        method: 'eth_getStorageAt',
        params: [token, scene.balanceSlot(holders[at]!), 'pending'],
        isRight: (result) => result === toHex(scene.balanceOf(at), { size: 32 }),
      })),
    },
  ]
}

/**
 * anvil has no logs before a block is mined: only ours, to see how the cost grows. All logs of a block
 * are an answer that grows with it; the logs of one receiver are found among more and more.
 */
export function pendingLogs(scene: Scene, size: number): ReadCase[] {
  return [
    {
      what: `all logs at pending of ${size}`,
      questions: () => [
        {
          method: 'eth_getLogs',
          params: [{ fromBlock: 'pending', toBlock: 'pending', address: scene.token }],
          isRight: (logs) => (logs as unknown[]).length === size,
        },
      ],
    },
    {
      what: `logs of one receiver at pending of ${size}`,
      questions: () => [
        {
          method: 'eth_getLogs',
          params: [
            {
              fromBlock: 'pending',
              toBlock: 'pending',
              topics: [TRANSFER, null, pad(scene.rareReceiver, { size: 32 })],
            },
          ],
          isRight: (logs) => (logs as unknown[]).length === 1,
        },
      ],
    },
  ]
}

/** anvil takes the calls of a batch in any order, and ours have a deposit that anvil's have not. */
function shows(all: readonly unknown[], hashes: readonly Hex[]): boolean {
  const seen = new Set(all)
  return all.length <= hashes.length + 1 && hashes.every((hash) => seen.has(hash))
}

function hashesOf(transactions: readonly unknown[]): Hex[] {
  return transactions.map((transaction) => (transaction as { hash: Hex }).hash)
}

async function blockNumberOf(contestant: Contestant, hash: Hex): Promise<number> {
  const receipt = await contestant.request('eth_getTransactionReceipt', hash)
  return Number((receipt as { blockNumber: Hex }).blockNumber)
}
