import { concat, createPublicClient, encodePacked, type Hex, http, keccak256, slice } from 'viem'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'

/** A range as it was asked for. */
export interface Range {
  /** First and last block. */
  from: number
  to: number
  interval: number
  proposer: Hex
}

/**
 * Has the TEEVerifier on L1 look at an aggregate, over a journal packed by viem (JRN-01).
 * @throws what the verifier reverts with
 */
export async function verifyOnL1(
  { l1RpcUrl, contracts }: DevnetDescription,
  { Tee: { aggregate_proposal: aggregate, proposals } }: ProofResultJson,
  { from, to, interval, proposer }: Range,
  imageHash: Hex,
): Promise<boolean> {
  const roots = proposals
    .filter((_, index) => (index + 1) % interval === 0)
    .map(({ output_root }) => output_root)
  const journal = encodePacked(
    // biome-ignore format: one line per line of the layout (JRN-03..11)
    ['address', 'bytes32', 'bytes32', 'uint64', 'bytes32', 'uint64', 'bytes32[]', 'bytes32', 'bytes32'],
    [
      proposer,
      aggregate.l1_origin_hash,
      aggregate.prev_output_root,
      BigInt(from - 1),
      aggregate.output_root,
      BigInt(to),
      // For one block no root is signed (OPEN-53).
      from === to ? [] : roots,
      aggregate.config_hash,
      imageHash,
    ],
  )
  const { signature } = aggregate
  const raised: Hex = slice(signature, 64) === '0x00' ? '0x1b' : '0x1c'
  return await createPublicClient({ transport: http(l1RpcUrl) }).readContract({
    address: contracts.teeVerifier!,
    abi: teeVerifierAbi,
    functionName: 'verify',
    args: [concat([proposer, slice(signature, 0, 64), raised]), imageHash, keccak256(journal)],
  })
}
