import { bytesToHex } from '@ethereumjs/util'
import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { type HostBench, hostBench } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

let chain: HostChain
let bench: HostBench
/** Params of every debug_executePayload. */
let payloads: unknown[][]

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 1)
  payloads = []
})
afterEach(() => bench.stop())

const start = (executionWitness?: boolean) =>
  bench.start({
    registryAddress: undefined,
    ...(executionWitness !== undefined && { executionWitness }),
  })
const count = (method: string) => chain.calls.filter((name) => name === method).length

/** An L2 node that answers with these values, whatever the payload. */
function serveWitness(state: readonly string[]) {
  chain.executePayload = (params) => {
    payloads.push(params as unknown[])
    return { state, codes: [], keys: [], headers: [] }
  }
}

/** All state values that proving blocks 1 to 3 piece by piece reads. */
async function stateOfRange(): Promise<string[]> {
  const { l2 } = chain.chain
  const { request } = l2
  const values: string[] = []
  l2.request = async (method, params) => {
    const answer = await request(method, params)
    if (method === 'debug_dbGet') values.push(String(answer))
    return answer
  }
  const { rpc } = await start()
  await rpc.request('prover_prove', await chain.request(1, 3))
  l2.request = request
  return values
}

describe('the experimental witness endpoint', () => {
  it('given no flag, when proving, then debug_executePayload is never called (HOST-CFG-18, HOST-CFG-19)', async () => {
    serveWitness([])
    const { rpc } = await start()
    await rpc.request('prover_prove', await chain.request(1, 3))
    expect(payloads).toEqual([])
    expect(count('debug_dbGet')).toBeGreaterThan(10)
  })

  it('given the flag and a node that sends more than is needed, when proving, then one call on the parent replaces every call for a piece of state (HOST-CFG-19)', async () => {
    serveWitness(await stateOfRange())
    const pieces = count('debug_dbGet')
    const { rpc } = await start(true)
    const params = await chain.request(1, 3)
    expect(await rpc.request('prover_prove', params)).toHaveProperty('Tee')
    expect(count('debug_dbGet')).toBe(pieces)

    const { blocks } = chain.chain
    expect(payloads.map(([parent]) => parent)).toEqual([blocks[0]!.hash])
    const { header, transactions } = blocks[1]!
    expect(payloads[0]![1]).toEqual({
      timestamp: numberToHex(header.timestamp),
      prevRandao: header.mixHash,
      suggestedFeeRecipient: header.miner,
      withdrawals: [],
      parentBeaconBlockRoot: header.parentBeaconBlockRoot,
      transactions: transactions.map(({ raw }) => bytesToHex(raw)),
      noTxPool: true,
      gasLimit: numberToHex(header.gasLimit),
      eip1559Params: `0x${header.extraData.slice(4, 20)}`,
      minBaseFee: Number(`0x${header.extraData.slice(20)}`),
    })
  })

  it.each([
    ['misses values', () => serveWitness([])],
    [
      'refuses the block',
      () => {
        chain.executePayload = (params) => {
          payloads.push(params as unknown[])
          throw new JsonRpcError(-32000, 'block not found')
        }
      },
    ],
    ['lies', () => serveWitness(['0x1234', 'nothing'])],
  ])(
    'given the flag and a node that %s, when proving, then each block is asked for once and the rest comes piece by piece',
    async (_, serve) => {
      serve()
      const { rpc } = await start(true)
      expect(await rpc.request('prover_prove', await chain.request(1, 3))).toHaveProperty('Tee')
      expect(count('debug_dbGet')).toBeGreaterThan(10)
    },
  )

  it('given the flag and a node without the method, when proving, then the error says what to do', async () => {
    const { rpc } = await start(true)
    await expect(rpc.request('prover_prove', await chain.request(1, 3))).rejects.toMatchObject({
      rpcCode: -32000,
      message:
        'prover_prove: witness generation failed: The L2 node does not have debug_executePayload.',
    })
  })
})
