import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Agreement } from './compare-answer.ts'
import { compareAnswer } from './compare-answer.ts'
import type { ImportedChain } from './imported-chain.ts'
import type { Exchange, Vector } from './read-vectors.ts'

export interface VectorResult {
  name: string
  agreement: Agreement
  /** Of a vector that differs: where first. */
  where: string
}

/** Methods that reckon the base fee of a block to come. */
const RECKONS_BASE_FEE = ['eth_simulateV1', 'eth_feeHistory', 'eth_baseFee']
/** Seconds between L1 blocks. */
const L1_BLOCK_TIME = 12

/** Asks a node that serves the chain, with the answers of deployed nodes (profile `base`). */
export async function runVectors(
  vectors: readonly Vector[],
  chain: ImportedChain,
): Promise<VectorResult[]> {
  const plain = await serve(chain)
  const reckoning = await serve(chain.withFeeParameters())
  const results: VectorResult[] = []
  for (const { name, method, isShapeOnly, exchanges } of vectors) {
    const ask = RECKONS_BASE_FEE.includes(method) ? reckoning : plain
    let result: Omit<VectorResult, 'name'> = { agreement: 'exact', where: '' }
    for (const exchange of exchanges) {
      const { jsonrpc: _, id: __, ...expected } = exchange.response as Record<string, unknown>
      const found = compareAnswer(await ask(exchange), expected, isShapeOnly)
      if (result.agreement !== 'differs' && found.agreement !== 'exact') result = found
    }
    results.push({ name, ...result })
  }
  return results
}

async function serve(chain: ImportedChain) {
  const config = { chainId: chain.chainId, fork: 'isthmus' } as const
  const methods = nodeMethods({
    chain,
    config,
    ...(await createInlineRunners(chain, config)),
    clock: new VirtualClock(),
    profile: 'base',
    preconfirmations: false,
    blockTime: L1_BLOCK_TIME,
  })
  return async ({ method, params }: Exchange): Promise<Exchange['response']> => {
    const call = methods[method]
    if (!call) return { error: { code: -32601, message: 'Method not found' } }
    try {
      const { signal } = new AbortController()
      const result: unknown = await call(params, { signal })
      return { result: JSON.parse(JSON.stringify(result ?? null)) }
    } catch (error) {
      if (!(error instanceof JsonRpcError)) {
        return { error: { code: -32603, message: String(error) } }
      }
      const { rpcCode: code, message, data } = error
      return { error: { code, message, ...(data !== undefined && { data }) } }
    }
  }
}
