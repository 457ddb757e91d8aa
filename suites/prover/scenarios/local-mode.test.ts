import { type Hex, keccak256, recoverAddress, slice } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import { proveRange } from '#devnet/proving/prover/prove-range'
import type { Devnet } from '#devnet/start-devnet'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { packByViem } from '../journal/pack-by-viem.ts'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { verifyOnL1 } from './verify-on-l1.ts'

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const range = { from: 1, to: 4, interval: 2, proposer: roleKeys.proposer.address }

let devnet: Devnet
let proof: ProofResultJson

beforeAll(async () => {
  devnet = await devnetWithBlocks(4, { enclaves: 'local' })
  proof = await proveRange({ ...devnet.description, ...range, clock: systemClock })
})
afterAll(() => devnet.stop())

const host = () => httpRpcClient(devnet.description.proverUrl)

test('given --enclaves local, then journals carry 32 zero bytes for the image (JRN-19)', async () => {
  const [key] = (await host().request('enclave_signerPublicKey', [])) as number[][]
  const signer = publicKeyToAddress(`0x${Buffer.from(key!).toString('hex')}`).toLowerCase()
  expect(devnet.description.enclaves).toMatchObject([
    { kind: 'local', imageHash: ZERO_HASH, signer },
  ])

  for (const proposal of proof.Tee.proposals) {
    const journal = packByViem({
      proposer: range.proposer,
      l1OriginHash: proposal.l1_origin_hash,
      prevOutputRoot: proposal.prev_output_root,
      startingL2Block: BigInt(proposal.l2_block_number - 1),
      outputRoot: proposal.output_root,
      endingL2Block: BigInt(proposal.l2_block_number),
      intermediateRoots: [],
      configHash: proposal.config_hash,
      teeImageHash: ZERO_HASH,
    })
    const recovered = await recoverAddress({
      hash: keccak256(journal),
      signature: {
        r: slice(proposal.signature, 0, 32),
        s: slice(proposal.signature, 32, 64),
        yParity: Number(slice(proposal.signature, 64)),
      },
    })
    expect(recovered.toLowerCase()).toBe(signer)
  }
})

test('then the verifier on L1, whose games expect zeros, accepts the aggregate', async () => {
  expect(await verifyOnL1(devnet.description, proof, range, ZERO_HASH)).toBe(true)
})

test('then it cannot attest, and says why', async () => {
  await expect(host().request('enclave_signerAttestation', [null, null])).rejects.toThrow(
    'local mode has no security module',
  )
})
