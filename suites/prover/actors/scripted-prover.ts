import { type Hex, slice } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { ProofRequestJson, ProposalJson } from '#suites/gate/conformance/spec/proof-json'
import { enclave, signJournal } from '../contracts/tee-journal.ts'
import type { ScriptedL2 } from './scripted-l2.ts'

export interface ScriptedProver extends RpcClient {
  readonly requests: ProofRequestJson[]
  /** Key that signs. */
  key: Hex
  configHash: Hex
  /** Runs between the proof and its answer. */
  beforeAnswer: () => unknown
  /** The answer's aggregate, to be tampered with. */
  tamper: (aggregate: ProposalJson) => ProposalJson
}

/**
 * A prover host with an honest enclave over the scripted chain: it refuses wrong claims and signs
 * with v 0 or 1, per block and the aggregate (JRN-14..16), with viem alone.
 */
export function scriptedProver(l2: ScriptedL2, configHash: Hex): ScriptedProver {
  const prover: ScriptedProver = {
    requests: [],
    key: enclave.privateKey,
    configHash,
    beforeAnswer: () => undefined,
    tamper: (aggregate) => aggregate,
    async request(method, [parameter]) {
      if (method !== 'prover_prove') throw new RpcRefused(method, { code: -32601, message: 'no' })
      const request = parameter as ProofRequestJson
      prover.requests.push(request)
      const end = request.claimed_l2_block_number
      const start = startOf(l2, request)
      if (l2.root(end) !== request.claimed_l2_output_root)
        throw refused(`invalid claim: computed ${l2.root(end)}`)

      const sign = async (from: number, to: number, roots: Hex[]): Promise<ProposalJson> => ({
        output_root: l2.root(to),
        signature: rawV(
          await signJournal(
            {
              proposer: request.proposer,
              l1Origin: request.l1_head,
              startRoot: l2.root(from),
              startBlock: BigInt(from),
              endRoot: l2.root(to),
              endBlock: BigInt(to),
              roots,
              config: prover.configHash,
            },
            prover.key,
          ),
        ),
        l1_origin_hash: request.l1_head,
        l1_origin_number: request.l1_head_number,
        l2_block_number: to,
        prev_output_root: l2.root(from),
        config_hash: prover.configHash,
      })
      const blocks = Array.from({ length: end - start }, (_, index) => start + index + 1)
      const every = request.intermediate_block_interval
      const sampled = blocks.filter((block) => (block - start) % every === 0)
      const proposals = await Promise.all(blocks.map((block) => sign(block - 1, block, [])))
      const aggregate = await sign(
        start,
        end,
        sampled.map((block) => l2.root(block)),
      )
      await prover.beforeAnswer()
      return { Tee: { aggregate_proposal: prover.tamper(aggregate), proposals } }
    },
  }
  return prover
}

function startOf(l2: ScriptedL2, request: ProofRequestJson): number {
  for (let block = 0; block < request.claimed_l2_block_number; block += 1) {
    const { hash, outputRoot } = l2.block(block)
    if (hash === request.agreed_l2_head_hash && outputRoot === request.agreed_l2_output_root)
      return block
  }
  throw refused('agreed output root does not belong to the agreed head')
}

function refused(why: string): RpcRefused {
  const message = `witness generation failed: ${why}`
  return new RpcRefused('prover_prove', { code: -32000, message })
}

/** v as enclaves write it. */
export function rawV(signature: Hex): Hex {
  return `${slice(signature, 0, 64)}0${Number.parseInt(slice(signature, 64), 16) - 27}` as Hex
}
