import { size, slice } from 'viem'
import { expect, test } from 'vitest'
import { packJournal, recoverSigner } from '../spec/journal.ts'
import type { ProofRequestJson, ProposalJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import { STAND_IN, signAgain } from './sign-again.ts'

const word = (byte: string): Hex => `0x${byte.repeat(32)}`

const request: ProofRequestJson = {
  l1_head: word('11'),
  l1_head_number: 7,
  agreed_l2_head_hash: word('22'),
  agreed_l2_output_root: word('33'),
  claimed_l2_output_root: word('a4'),
  claimed_l2_block_number: 4,
  proposer: `0x${'44'.repeat(20)}`,
  intermediate_block_interval: 2,
  image_hash: word('55'),
}

const proposal = (block: number): ProposalJson => ({
  output_root: word(`a${block}`),
  signature: `0x${'00'.repeat(65)}`,
  l1_origin_hash: word('11'),
  l1_origin_number: 7,
  l2_block_number: block,
  prev_output_root: word('33'),
  config_hash: word('66'),
})

test('given either parity, when a proof is signed again, then its aggregate is a low-s signature of the journal that ends in it and begins with a zero byte', () => {
  const tee = { aggregate_proposal: proposal(4), proposals: [1, 2, 3, 4].map(proposal) }
  const journal = packJournal({
    proposer: request.proposer,
    l1OriginHash: request.l1_head,
    prevOutputRoot: request.agreed_l2_output_root,
    startingL2Block: 0n,
    outputRoot: word('a4'),
    endingL2Block: 4n,
    intermediateRoots: [word('a2'), word('a4')],
    configHash: word('66'),
    teeImageHash: word('55'),
  })
  for (const parity of [0, 1] as const) {
    const { signature } = signAgain(tee, request, {
      imageHash: word('55'),
      parity,
    }).aggregate_proposal
    expect(size(signature)).toBe(65)
    expect(Number(slice(signature, 64))).toBe(parity)
    expect(slice(signature, 0, 1)).toBe('0x00')
    expect(recoverSigner(journal, signature)).toBe(STAND_IN)
    // Half the order of secp256k1 (SEC 2, 2.4.1): L1 takes no higher s.
    const s = BigInt(slice(signature, 32, 64))
    expect(s).toBeLessThanOrEqual(
      0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n,
    )
  }
})
