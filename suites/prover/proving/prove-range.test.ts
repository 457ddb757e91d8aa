import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { pino } from 'pino'
import {
  encodePacked,
  type Hex,
  keccak256,
  numberToHex,
  parseSignature,
  recoverAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { addProveCommand } from '#devnet/cli/prove'
import type { ProofResultJson, ProposalJson } from '#devnet/proving/prover/proof-json'
import { type ProveRangeParameters, proveRange } from '#devnet/proving/prover/prove-range'
import { startProverHost } from '#devnet/proving/prover/start-prover-host'
import { bootLocal } from '#enclave/server/boot-identity'
import { createEnclave, type Enclave } from '#enclave/server/create-enclave'
import { serveConnection } from '#enclave/server/serve-connection'
import { listenHybrid } from '#enclave/vsock/hybrid-listener'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { seededRng } from '#protocol/random/rng'
import type { Hash } from '#protocol/types/bytes'
import { packByViem } from '../journal/pack-by-viem.ts'
import { jsonRpcEndpoint } from './json-rpc-endpoint.ts'
import { type TestChain, testChain } from './test-chain.ts'

const proposer = roleKeys.proposer.address

let resources: ResourceStack
let chain: TestChain
let enclave: Enclave
let urls: { rpcUrl: string; l1RpcUrl: string; proverUrl: string }

/** Five blocks on L1, a real host, and a real enclave in local mode behind a UNIX socket. */
beforeAll(async () => {
  resources = new ResourceStack()
  chain = resources.add(await testChain())
  for (let block = 1; block <= 5; block++) await chain.build([await chain.sign()])
  await chain.post()
  chain.l2.safe = 5

  const clock = new VirtualClock()
  const log = () => undefined
  enclave = createEnclave({
    identity: bootLocal(seededRng(1)),
    program: async (preimages) => runProgram(verifiedOracle(preimages), { chains: chain.chains }),
    log,
  })
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'vsock')
  const onConnection = (stream: Parameters<typeof serveConnection>[0]) =>
    void serveConnection(stream, { enclave, clock, log })
  const listener = await listenHybrid({ path, port: 8000, clock, onConnection })
  resources.defer(() => listener.close())

  const l1Methods = ['eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getBlockReceipts']
  const debugMethods = ['debug_getRawHeader', 'debug_getRawBlock', 'debug_dbGet']
  const l1 = resources.add(await jsonRpcEndpoint(chain.l1, l1Methods))
  const l2 = resources.add(
    await jsonRpcEndpoint(chain.l2, [...debugMethods, 'eth_getBlockByNumber']),
  )
  const host = await startProverHost({
    l1RpcUrl: l1.url,
    l1BeaconUrl: l1.url,
    l2RpcUrl: l2.url,
    chainId: chain.config.l2ChainId,
    chains: chain.chains,
    listen: { host: '127.0.0.1', port: 0 },
    endpoints: new Map([[16, `unix:${path}:8000`]]),
    clock,
    logger: pino({ level: 'silent' }),
  })
  urls = { rpcUrl: l2.url, l1RpcUrl: l1.url, proverUrl: resources.add(host).url }
})

afterAll(() => resources.stop())

function ask(parameters: Partial<ProveRangeParameters> = {}): Promise<ProofResultJson> {
  const clock = new VirtualClock()
  return proveRange({ ...urls, from: 1, to: 5, interval: 2, proposer, clock, ...parameters })
}

/** Half the order of secp256k1 (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** facts of base/base per_chain_config.rs: 212 bytes, all big endian. */
function packedConfigHash({ genesis, l2ChainId, ...config }: RollupConfig): Hash {
  return keccak256(
    encodePacked(
      [
        'uint64',
        'uint256',
        'bytes32',
        'bytes32',
        'uint64',
        'address',
        'bytes32',
        'uint64',
        'address',
        'address',
      ],
      [
        0n,
        BigInt(l2ChainId),
        genesis.l1.hash,
        genesis.l2.hash,
        BigInt(genesis.l2Time),
        genesis.systemConfig.batcherAddress,
        genesis.systemConfig.scalar,
        genesis.systemConfig.gasLimit,
        config.depositContractAddress,
        config.l1SystemConfigAddress,
      ],
    ),
  )
}

/** Who signed a proposal, over a journal packed here (spec: "Signed journal"). */
function signerOf(proposal: ProposalJson, start: number, intermediate: Hash[]): Promise<Hex> {
  const journal = packByViem({
    proposer,
    l1OriginHash: proposal.l1_origin_hash,
    prevOutputRoot: proposal.prev_output_root,
    startingL2Block: BigInt(start),
    outputRoot: proposal.output_root,
    endingL2Block: BigInt(proposal.l2_block_number),
    intermediateRoots: intermediate,
    configHash: packedConfigHash(chain.config),
    teeImageHash: `0x${'00'.repeat(32)}`,
  })
  const { r, s } = parseSignature(`${proposal.signature.slice(0, -2)}1b` as Hex)
  const yParity = Number(`0x${proposal.signature.slice(-2)}`)
  // SIG-04; and s is the lower of the two that are valid.
  expect([0, 1]).toContain(yParity)
  expect(BigInt(s)).toBeLessThanOrEqual(MAX_S)
  return recoverAddress({ hash: keccak256(journal), signature: { r, s, yParity } })
}

describe('a range, from request to signatures', () => {
  it('given five blocks and interval 2, when proven, then every journal recovers to the enclave (PIPE-19, PIPE-20, PRV-RES-03..07)', async () => {
    const { aggregate_proposal: aggregate, proposals } = (await ask()).Tee
    expect(proposals.map((proposal) => proposal.l2_block_number)).toEqual([1, 2, 3, 4, 5])
    const roots = proposals.map((proposal) => proposal.output_root)
    expect(proposals.slice(1).map((proposal) => proposal.prev_output_root)).toEqual(
      roots.slice(0, -1),
    )
    expect([aggregate.prev_output_root, aggregate.output_root, aggregate.l2_block_number]).toEqual([
      proposals[0]!.prev_output_root,
      roots[4],
      5,
    ])

    const signers = [
      ...proposals.map((proposal) => signerOf(proposal, proposal.l2_block_number - 1, [])),
      signerOf(aggregate, 0, [roots[1]!, roots[3]!]),
    ]
    for (const signer of await Promise.all(signers)) {
      expect(signer.toLowerCase()).toBe(enclave.signer)
    }
  })

  it('given four blocks and interval 2, when proven, then the last root is sampled too', async () => {
    const { aggregate_proposal: aggregate, proposals } = (await ask({ to: 4 })).Tee
    const roots = [proposals[1]!.output_root, proposals[3]!.output_root]
    expect(roots[1]).toBe(aggregate.output_root)
    expect((await signerOf(aggregate, 0, roots)).toLowerCase()).toBe(enclave.signer)
  })

  it('given one block, when proven, then the aggregate is the proposal (PRV-PROP-08)', async () => {
    const { aggregate_proposal: aggregate, proposals } = (await ask({ from: 3, to: 3 })).Tee
    expect(proposals).toEqual([aggregate])
  })

  it('given interval 0 and several blocks, when asked, then the enclave refuses', async () => {
    await expect(ask({ interval: 0 })).rejects.toThrow(
      'intermediate_block_interval must not be zero',
    )
  })

  it('given interval 0 and one block, when asked, then it is proven (OPEN-50…53)', async () => {
    expect((await ask({ from: 5, to: 5, interval: 0 })).Tee.proposals).toHaveLength(1)
  })
})

describe('proveRange', () => {
  it.each([
    [0, 3],
    [4, 3],
  ])('given the range %i..%i, when asked, then RANGE_INVALID', async (from, to) => {
    await expect(ask({ from, to })).rejects.toMatchObject({ code: 'RANGE_INVALID' })
  })

  it('given a block that does not exist yet, when the chain goes on, then it waits, and says so', async () => {
    const clock = new VirtualClock()
    const node = { head: 2, safe: 2 }
    const lines: string[] = []
    let heard = Promise.withResolvers<void>()
    const onProgress = (line: string) => {
      lines.push(line)
      heard.resolve()
      heard = Promise.withResolvers()
    }
    const growing: RpcClient = {
      request: async (method, params) => {
        const [block] = params as unknown[]
        const at = block === 'latest' ? node.head : block === 'safe' ? node.safe : undefined
        return chain.l2.request(method, at === undefined ? params : [numberToHex(at), false])
      },
    }
    const methods = ['eth_getBlockByNumber', 'debug_getRawHeader', 'anvil_metadata']
    const { url: rpcUrl, stop } = await jsonRpcEndpoint(growing, methods)
    const first = heard.promise
    const answer = ask({ rpcUrl, clock, onProgress })
    await first
    // Longer than the timeout in all, but never that long without a block.
    for (const [head, safe] of [
      [4, 2],
      [5, 3],
      [5, 4],
      [5, 5],
    ] as const) {
      const next = heard.promise
      Object.assign(node, { head, safe })
      await clock.advance(200_000)
      await next
    }
    expect((await answer).Tee.proposals).toHaveLength(5)
    expect(lines).toEqual([
      'waiting for block 5, the chain is at 2',
      'waiting for block 5, the chain is at 4',
      'waiting for block 5 to be safe, now at 3',
      'waiting for block 5 to be safe, now at 4',
      expect.stringMatching(/^proving L2 blocks 1\.\.5 from L1 block \d+$/),
    ])
    await stop()
  })

  it('given a safe head that is behind, when it arrives, then the proof goes on', async () => {
    const clock = new VirtualClock()
    chain.l2.safe = 2
    const waiting = Promise.withResolvers<string>()
    const answer = ask({ clock, onProgress: waiting.resolve })
    expect(await waiting.promise).toBe('waiting for block 5 to be safe, now at 2')
    chain.l2.safe = 5
    await clock.advance(500)
    expect((await answer).Tee.proposals).toHaveLength(5)
  })

  it('given a safe head that stays, when 300 s have passed, then SAFE_HEAD_TIMEOUT', async () => {
    const clock = new VirtualClock()
    chain.l2.safe = 2
    const waiting = Promise.withResolvers<string>()
    const failed = expect(ask({ clock, onProgress: waiting.resolve })).rejects.toMatchObject({
      code: 'SAFE_HEAD_TIMEOUT',
      message:
        'Block 5 is not safe, and for 300 s nothing went on: the chain is at 5, its safe head at 2.',
    })
    await waiting.promise
    await clock.advance(300_000)
    await failed
    chain.l2.safe = 5
  })

  it('given a devnet that a cheat took off L1, when its safe head stays, then CHAIN_DIVERGED at once', async () => {
    const divergence = { since: '0x3', cause: 'rollback' }
    const cheated: RpcClient = {
      request: async (method, params) =>
        method === 'anvil_metadata' ? { divergence } : chain.l2.request(method, params),
    }
    const methods = ['eth_getBlockByNumber', 'anvil_metadata']
    const { url: rpcUrl, stop } = await jsonRpcEndpoint(cheated, methods)
    chain.l2.safe = 2
    await expect(ask({ rpcUrl, clock: new VirtualClock() })).rejects.toMatchObject({
      code: 'CHAIN_DIVERGED',
      message: 'Block 5 will never be safe: the chain left L1 at block 3 (rollback).',
    })
    chain.l2.safe = 5
    await stop()
  })

  it('given an L1 head, when asked, then the range is derived from there and signed over it', async () => {
    const head = (await chain.l1.request('eth_getBlockByNumber', ['latest', false])) as {
      hash: Hash
      number: Hex
    }
    await chain.sendToL1([{ name: 'nothing', to: userKeys[8]!.address, data: '0x' }])
    const newest = (await ask()).Tee.aggregate_proposal
    expect(newest.l1_origin_hash).not.toBe(head.hash)
    for (const l1Head of [head.hash, Number(head.number)]) {
      const { aggregate_proposal: aggregate } = (await ask({ l1Head })).Tee
      expect(aggregate.l1_origin_hash).toBe(head.hash)
      expect(aggregate.l1_origin_number).toBe(Number(head.number))
    }
    const unknown: Hash = `0x${'77'.repeat(32)}`
    await expect(ask({ l1Head: unknown })).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' })
  })

  describe('rollbed prove --l1-head', () => {
    /** What it prints of blocks 1..5. */
    async function prove(l1Head: string): Promise<ProofResultJson> {
      const { rpcUrl: rpc, l1RpcUrl: l1, proverUrl: prover } = urls
      const flags = { rpc, l1, prover, proposer, from: '1', to: '5', 'l1-head': l1Head }
      const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
      const print = vi.spyOn(console, 'log').mockImplementation(() => {})
      const printError = vi.spyOn(console, 'error').mockImplementation(() => {})
      const program = new Command().exitOverride()
      addProveCommand(program, () => {})
      try {
        await program.parseAsync(['prove', ...args], { from: 'user' })
        return JSON.parse(print.mock.lastCall![0])
      } finally {
        print.mockRestore()
        printError.mockRestore()
      }
    }

    it.each([
      '',
      'latest',
      '-1',
      '1.5',
      '0x10',
      `0x${'7'.repeat(63)}`,
      `0x${'7'.repeat(65)}`,
      `0x${'g'.repeat(64)}`,
    ])('given %j, then it is a usage error', async (text) => {
      await expect(prove(text)).rejects.toMatchObject({
        code: 'USAGE',
        message: `--l1-head must be the hash or the number of an L1 block, not '${text}'.`,
      })
    })

    it.each([`0x${'77'.repeat(32)}`, '999999'])(
      'given %s, which L1 does not have, then BLOCK_UNKNOWN',
      async (text) => {
        await expect(prove(text)).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' })
      },
    )

    it('given an L1 block below the newest, by hash or number, then it is the origin that is signed over', async () => {
      const head = (await chain.l1.request('eth_getBlockByNumber', ['latest', false])) as {
        hash: Hash
        number: Hex
      }
      await chain.sendToL1([{ name: 'nothing', to: userKeys[8]!.address, data: '0x' }])
      for (const text of [head.hash, String(Number(head.number))]) {
        const { aggregate_proposal: aggregate } = (await prove(text)).Tee
        expect(aggregate.l1_origin_hash).toBe(head.hash)
        expect(aggregate.l1_origin_number).toBe(Number(head.number))
      }
    })
  })

  it('given a prover of something else, when it answers, then PROOF_UNEXPECTED', async () => {
    const other = await ask({ from: 1, to: 4 })
    const impostor: RpcClient = { request: async () => other }
    const { url: proverUrl, stop } = await jsonRpcEndpoint(impostor, ['prover_prove'])
    await expect(ask({ proverUrl })).rejects.toMatchObject({ code: 'PROOF_UNEXPECTED' })
    await stop()
  })
})
