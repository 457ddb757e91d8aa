import { hexToBytes, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type EnclaveChange, enclaveBetween } from '#mocks/enclave/enclave-between'
import {
  decodeRequest,
  decodeResponse,
  encodeResponse,
  type Preimage,
  type Proposal,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { type Mutant, type MutantContext, mutantsOf } from '../mutant.ts'
import {
  type Hex,
  KEY,
  pack,
  type Request,
  resign,
  type Signed,
  type Tee,
} from '../resign-proof.ts'

const booted = mutantsOf('enclave', 'localEnclaveCommand')

/** An enclave in local mode whose journals hold another image hash. */
const measuring = (
  name: string,
  says: string,
  imageHash: Hex,
  isMeant: (journal: Signed) => boolean = () => true,
) =>
  booted('JRN-19', name, says, (context) => ({
    boot: enclaveBetween(() =>
      signing(
        (journal) => (isMeant(journal) ? pack({ ...journal, imageHash }) : pack(journal)),
        context,
      ),
    ),
  }))

const signing = (packed: (journal: Signed) => Hex, context: MutantContext): EnclaveChange => ({
  answer: (forward) => async (payload) => {
    const answer = await forward(payload)
    const request = decodeRequest(payload)
    if (request.kind === 'SignerPublicKey') {
      const publicKey = hexToBytes(privateKeyToAccount(KEY).publicKey)
      return encodeResponse({ kind: 'SignerPublicKey', publicKey })
    }
    const response = answer && decodeResponse(answer)
    if (request.kind !== 'Prove' || response?.kind !== 'Prove' || response.result.kind !== 'Tee')
      return answer
    const { aggregateProposal, proposals } = response.result
    const tee = { aggregate_proposal: {}, proposals: proposals.map(toJson) }
    const signed = await resign(tee, bootValues(request.preimages), context, {
      pack: packed,
    })
    const signature = (json: unknown) => (json as { signature: Hex }).signature
    return encodeResponse({
      kind: 'Prove',
      result: {
        kind: 'Tee',
        aggregateProposal: {
          ...aggregateProposal,
          signature: signature(signed.aggregate_proposal),
        },
        proposals: proposals.map((proposal, index) => ({
          ...proposal,
          signature: signature(signed.proposals[index]),
        })),
      },
    })
  },
})

const toJson = (proposal: Proposal): Tee['proposals'][number] => ({
  output_root: proposal.outputRoot,
  l2_block_number: Number(proposal.l2BlockNumber),
  config_hash: proposal.configHash,
})

/** What the local preimages of a Prove request say, by the identifiers of the spec. */
function bootValues(preimages: readonly Preimage[]): Request {
  const local = (identifier: number): Hex => {
    const isIt = ({ key }: Preimage) => key.type === 'local' && key.data[30] === identifier
    return toHex(preimages.find(isIt)?.value ?? new Uint8Array())
  }
  return {
    l1_head: local(1),
    agreed_l2_output_root: local(2),
    proposer: local(8),
    intermediate_block_interval: Number(local(9)),
    image_hash: '0x',
  }
}

/** Mutants of an enclave in local mode. */
export const LOCAL_MODE_MUTANTS: readonly Mutant[] = [
  measuring(
    'local-mode-hashes-zeros',
    'Has keccak256 of 48 zero bytes for image hash in local mode',
    keccak256(new Uint8Array(48)),
  ),
  measuring(
    'local-mode-measured',
    'Has the hash of some measurement for image hash in local mode',
    keccak256(toHex('measurement')),
  ),
  measuring(
    'local-mode-aggregate-hashes-zeros',
    'Has keccak256 of 48 zero bytes for image hash in the aggregate journal alone',
    keccak256(new Uint8Array(48)),
    ({ isAggregate }) => isAggregate,
  ),
]
