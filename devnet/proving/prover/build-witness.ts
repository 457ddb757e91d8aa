import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { BlobSource } from '#devnet/l1/blobs/blob-source'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { recordingOracle } from '#protocol/oracle/recording-oracle'
import { type Chains, runProgram } from '#protocol/proof/run-program'
import type { ExecutedBlock, ProofRequest } from '#protocol/proof/types'
import { onlineOracle } from './online-oracle.ts'

export interface WitnessSources {
  chainId: bigint
  chains: Chains
  l1: RpcClient
  l2: RpcClient
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
  /** Uses debug_executePayload of the L2 node. Default: state is asked for piece by piece. */
  executionWitness?: boolean
  /** Called after each block that was executed. */
  onProgress?(block: ExecutedBlock): void
  signal?: AbortSignal
}

/**
 * Runs the whole proof program against L1 and L2 and returns every preimage it read: what an enclave
 * needs for the same run, no more. A claim that does not hold already fails here.
 * @throws whatever the program throws; the signal's reason when it is aborted
 */
export async function buildWitness(
  request: ProofRequest,
  sources: WitnessSources,
): Promise<Preimage[]> {
  const { chains, onProgress, signal } = sources
  let head = request.agreedL2HeadHash
  const oracle = recordingOracle(onlineOracle({ ...sources, request, head: () => head }))
  await runProgram(oracle, {
    chains,
    onBlock(block) {
      head = block.hash
      onProgress?.(block)
    },
    ...(signal && { signal }),
  })
  return oracle.preimages()
}
