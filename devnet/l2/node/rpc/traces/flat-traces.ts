import { isSealed } from '../../chain-view.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import type { FlatTrace } from './flat-call-tracer.ts'
import type { TracedChain } from './trace-runner.ts'
import { tracesOf } from './traces-of.ts'

const OPTIONS = {
  tracer: 'flatCallTracer',
  timeout: 20_000,
  config: { includePrecompiles: false },
} as const

/**
 * The flat traces of a block or of one of its transactions, each with where it stands; the block's
 * number is a plain one here, as OpenEthereum has it, and null like the hash where the block is not
 * sealed.
 * @throws JsonRpcError -32000
 */
export async function flatTraces(
  rpc: TracedChain,
  block: ReadableBlock,
  signal: AbortSignal,
  index?: number,
): Promise<object[]> {
  const traced = (await tracesOf(rpc, block, OPTIONS, signal, index)) as FlatTrace[][]
  const place = {
    blockHash: isSealed(block) ? block.hash : null,
    blockNumber: isSealed(block) ? Number(block.header.number) : null,
  }
  return traced.flatMap((traces, at) => {
    const position = index ?? at
    const transactionHash = block.transactions[position]!.hash
    return traces.map((trace) => ({
      ...trace,
      ...place,
      transactionHash,
      transactionPosition: position,
    }))
  })
}
