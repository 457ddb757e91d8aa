import {
  concat,
  createPublicClient,
  encodePacked,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  parseAbi,
  recoverAddress,
  webSocket,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { profileValues } from '#devnet/l2/node/rpc/profile-differences'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import {
  type ProofResultJson,
  type ProposalJson,
  parseProofRequest,
} from '#devnet/proving/prover/proof-json'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { systemClock } from '#protocol/clock/system-clock'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { closeSocket } from './close-socket.ts'
import { onEachBlockUntil } from './on-each-block-until.ts'
import { RollbedProcess } from './rollbed-process.ts'

const FROM = 1
const TO = 4
const INTERVAL = 2

let devnet: Devnet
let l1: PublicClient
let l2: PublicClient

beforeAll(async () => {
  devnet = await startDevnet({
    ...{ blockTime: 1, l1BlockTime: 1, batchInterval: 500 },
    // It warns of each proof that it refuses.
    logLevel: 'silent',
  })
  const { l1RpcUrl, wsUrl } = devnet.description
  l1 = createPublicClient({ transport: http(l1RpcUrl) })
  l2 = createPublicClient({ transport: webSocket(wsUrl) })
  await onEachBlockUntil(l2, async () => (await l2.getBlock({ blockTag: 'safe' })).number >= TO)
})
afterAll(async () => {
  if (l2) await closeSocket(l2)
  await devnet?.stop()
})

async function proveByCommand(): Promise<ProofResultJson> {
  const range = ['--from', String(FROM), '--to', String(TO), '--interval', String(INTERVAL)]
  const command = new RollbedProcess(['prove', ...range], {
    prepare: (folder) => writeDevnetFile(`${folder}/.rollbed/devnet.json`, devnet.description),
  })
  const { exitCode, stdout, stderr } = await command.outcome
  expect(stderr).not.toContain('Error')
  expect(exitCode).toBe(0)
  return JSON.parse(stdout)
}

/** The journal of the spec, packed by viem: 196 + 32·N bytes. */
function journal(fields: {
  proposal: ProposalJson
  start: number
  roots: Hex[]
  proposer: Hex
  imageHash: Hex
}): Hex {
  const { proposal, start, roots, proposer, imageHash } = fields
  return encodePacked(
    ['address', 'bytes32', 'bytes32', 'uint64', 'bytes32', 'uint64', 'bytes', 'bytes32', 'bytes32'],
    [
      proposer,
      proposal.l1_origin_hash,
      proposal.prev_output_root,
      BigInt(start),
      proposal.output_root,
      BigInt(proposal.l2_block_number),
      roots.length ? concat(roots) : '0x',
      proposal.config_hash,
      imageHash,
    ],
  )
}

describe('`rollbed prove`', () => {
  let proof: ProofResultJson['Tee']
  let aggregateJournal: Hex

  beforeAll(async () => {
    proof = (await proveByCommand()).Tee
    const roots = [proof.proposals[1]!.output_root, proof.proposals[3]!.output_root]
    const { proposer, imageHash } = signing()
    const start = FROM - 1
    const proposal = proof.aggregate_proposal
    aggregateJournal = journal({ proposal, start, roots, proposer, imageHash })
  })

  const signing = () => {
    const { accounts, enclaves } = devnet.description
    const { imageHash, signer } = enclaves[0]!
    return { proposer: accounts[0]!.address, imageHash, signer }
  }

  test('then every per-block signature recovers to the signer of the enclave (SIG-*, JRN-11)', async () => {
    const { proposer, imageHash, signer } = signing()
    expect(proof.proposals.map(({ l2_block_number }) => l2_block_number)).toEqual([1, 2, 3, 4])
    for (const proposal of proof.proposals) {
      const start = proposal.l2_block_number - 1
      const packed = journal({ proposal, start, roots: [], proposer, imageHash })
      const { signature } = proposal
      const recovered = await recoverAddress({ hash: keccak256(packed), signature })
      expect(recovered.toLowerCase()).toBe(signer)
    }
  })

  test('then the aggregate recovers to it too, with the roots sampled at the interval (JRN-12)', async () => {
    const { signature } = proof.aggregate_proposal
    const hash = keccak256(aggregateJournal)
    expect((aggregateJournal.length - 2) / 2).toBe(196 + 32 * 2)
    expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(signing().signer)
  })

  test('then the roots are those of the chain', async () => {
    for (const { l2_block_number, output_root } of proof.proposals) {
      const block = await l2.getBlock({ blockNumber: BigInt(l2_block_number) })
      const { storageHash } = await l2.getProof({
        address: '0x4200000000000000000000000000000000000016',
        storageKeys: [],
        blockNumber: BigInt(l2_block_number),
      })
      const zero: Hex = `0x${'00'.repeat(32)}`
      expect(output_root).toBe(keccak256(concat([zero, block.stateRoot, storageHash, block.hash])))
    }
  })

  test('when TEEVerifier on L1 judges the aggregate, then it accepts it, and refuses it for another proposer', async () => {
    const { proposer, imageHash } = signing()
    const { signature } = proof.aggregate_proposal
    const normalised = concat([
      signature.slice(0, 130) as Hex,
      signature.endsWith('00') ? '0x1b' : '0x1c',
    ])
    const verify = (by: Hex) =>
      l1.readContract({
        address: devnet.description.contracts.teeVerifier,
        abi: parseAbi([
          'function verify(bytes proof, bytes32 imageId, bytes32 journal) view returns (bool)',
          'error InvalidProposer(address)',
        ]),
        functionName: 'verify',
        args: [concat([by, normalised]), imageHash, keccak256(aggregateJournal)],
      })
    expect(await verify(proposer)).toBe(true)
    await expect(verify('0x00000000000000000000000000000000000000aa')).rejects.toThrow(
      'InvalidProposer',
    )
  })
})

describe('no signature comes', () => {
  async function request(overrides: Record<string, unknown> = {}) {
    const rollup = httpRpcClient(devnet.description.rollupRpcUrl)
    const output = async (block: number) =>
      (await rollup.request('optimism_outputAtBlock', [`0x${block.toString(16)}`])) as {
        outputRoot: Hex
        blockRef: { hash: Hex }
      }
    const [agreed, claimed, head] = [await output(FROM - 1), await output(TO), await l1.getBlock()]
    return {
      l1_head: head.hash,
      l1_head_number: Number(head.number),
      agreed_l2_head_hash: agreed.blockRef.hash,
      agreed_l2_output_root: agreed.outputRoot,
      claimed_l2_output_root: claimed.outputRoot,
      claimed_l2_block_number: TO,
      proposer: devnet.description.accounts[0]!.address,
      intermediate_block_interval: INTERVAL,
      ...overrides,
    }
  }

  async function witness(): Promise<Preimage[]> {
    const { l1RpcUrl, rpcUrl, chainId } = devnet.description
    return buildWitness(parseProofRequest([await request()], profileValues('spec')), {
      chainId: BigInt(chainId),
      chains: new Map([[BigInt(chainId), devnet.config]]),
      l1: httpRpcClient(l1RpcUrl),
      l2: httpRpcClient(rpcUrl),
    })
  }

  /** Sends preimages to the enclave itself, past the host. */
  function proveInEnclave(preimages: Preimage[]) {
    const { cid, endpoint } = devnet.description.enclaves[0]!
    const client = enclaveClient({
      cid,
      clock: systemClock,
      connect: () => connect(parseEndpoint(endpoint), { clock: systemClock, timeout: 60_000 }),
    })
    return client.prove(preimages, new AbortController().signal)
  }

  const withLocal = (preimages: Preimage[], identifier: number, value: Uint8Array) =>
    preimages.map((preimage) =>
      preimage.key.type === 'local' && preimage.key.data.at(-1) === identifier
        ? { ...preimage, value }
        : preimage,
    )

  test('given a wrong claimed root, then the host answers -32000 (ERR-14)', async () => {
    const wrong = await request({ claimed_l2_output_root: `0x${'ab'.repeat(32)}` })
    const prover = httpRpcClient(devnet.description.proverUrl)
    await expect(prover.request('prover_prove', [wrong])).rejects.toThrow(/invalid claim/)
  })

  test('given a wrong claimed root, though the witness is whole, then the enclave refuses (PIPE-18)', async () => {
    const lie = withLocal(await witness(), 3, new Uint8Array(32).fill(0xab))
    await expect(proveInEnclave(lie)).rejects.toThrow(/invalid claim/)
  })

  test('given a single flipped byte in a preimage, then the enclave refuses (PIPE-09)', async () => {
    const preimages = await witness()
    expect((await proveInEnclave(preimages)).proposals).toHaveLength(TO - FROM + 1)
    const hashed = preimages.findIndex(({ key }) => key.type === 'keccak256')
    const value = preimages[hashed]!.value.slice()
    value[value.length >> 1]! ^= 1
    const flipped = preimages.with(hashed, { ...preimages[hashed]!, value })
    await expect(proveInEnclave(flipped)).rejects.toThrow(/preimage hash mismatch for key 0x/)
  })

  test('given a chain that it does not know, then the enclave refuses (ERR-16, ERR-17)', async () => {
    const chain = new Uint8Array(8)
    new DataView(chain.buffer).setBigUint64(0, 10n)
    await expect(proveInEnclave(withLocal(await witness(), 5, chain))).rejects.toThrow(
      'unsupported chain: 10',
    )
  })
})
