import { hexToBytes } from '@ethereumjs/util'
import { pino } from 'pino'
import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { httpRpcClient, type RpcClient } from '../../devnet/json-rpc/http-rpc-client.ts'
import { ResourceStack } from '../../devnet/process/owned-resource.ts'
import { proofRequestJson } from '../../devnet/prover/proof-json.ts'
import { type ProverHostOptions, startProverHost } from '../../devnet/prover/start-prover-host.ts'
import { VirtualClock } from '../../enclave-sim/clock/virtual-clock.ts'
import type { Address } from '../../enclave-sim/execution/types.ts'
import type { Proposal } from '../../enclave-sim/proof/types.ts'
import type { EnclaveRequest } from '../../enclave-sim/wire/messages.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'
import { jsonRpcEndpoint } from './json-rpc-endpoint.ts'
import { type Reaction, type ScriptedEnclave, scriptedEnclave } from './scripted-enclave.ts'
import { type TestChain, testChain } from './test-chain.ts'

const REGISTRY: Address = `0x${'7e'.repeat(20)}`
const ABI = parseAbi(['function isValidSigner(address signer) view returns (bool)'])
const accounts = [1, 2].map((n) => privateKeyToAccount(`0x${'00'.repeat(31)}0${n}`))
const keys = accounts.map(({ publicKey }) => hexToBytes(publicKey))
const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const proposal: Proposal = {
  outputRoot: hash('01'),
  signature: `0x${'ab'.repeat(65)}`,
  l1OriginHash: hash('02'),
  l1OriginNumber: 1n,
  l2BlockNumber: 2n,
  prevOutputRoot: hash('03'),
  configHash: hash('04'),
}

let chain: TestChain
let chainResources: ResourceStack
let l1Url: string
let l2Url: string

/** The scripted registry: which signers are valid, and what it was asked. */
let valid: Address[]
let registryCalls: { to: Address; signer: Address }[]
let registryDown: boolean

beforeAll(async () => {
  chainResources = new ResourceStack()
  chain = chainResources.add(await testChain())
  await chain.build([await chain.sign()])
  await chain.build()
  await chain.post()
  const l1: RpcClient = {
    async request(method, params) {
      if (method !== 'eth_call') return await chain.l1.request(method, params)
      if (registryDown) throw new Error('no route')
      const [call] = params as [{ to: Address; data: Hex }]
      const [signer] = decodeFunctionData({ abi: ABI, data: call.data }).args
      registryCalls.push({ to: call.to, signer })
      const isValid = valid.includes(signer.toLowerCase() as Address)
      return encodeAbiParameters([{ type: 'bool' }], [isValid])
    },
  }
  const l1Methods = ['eth_call', 'eth_getBlockByHash', 'eth_getBlockReceipts']
  const l2Methods = ['debug_getRawHeader', 'debug_getRawBlock', 'debug_dbGet']
  l1Url = chainResources.add(await jsonRpcEndpoint(l1, l1Methods)).url
  l2Url = chainResources.add(await jsonRpcEndpoint(chain.l2, l2Methods)).url
})

afterAll(() => chainResources.stop())

let resources: ResourceStack
let clock: VirtualClock
let enclaves: ScriptedEnclave[]
let reactions: Record<EnclaveRequest['kind'], Reaction | Promise<Reaction>>[]
let logged: string[]

beforeEach(async () => {
  resources = new ResourceStack()
  clock = new VirtualClock()
  logged = []
  valid = []
  registryCalls = []
  registryDown = false
  reactions = keys.map((publicKey, index) => ({
    SignerPublicKey: { kind: 'SignerPublicKey', publicKey },
    SignerAttestation: { kind: 'SignerAttestation', document: Uint8Array.of(0x84, index) },
    Prove: {
      kind: 'Prove',
      result: { kind: 'Tee', aggregateProposal: proposal, proposals: [proposal] },
    },
  }))
  enclaves = []
  for (const table of reactions) {
    const enclave = await scriptedEnclave(clock, ({ kind }) => table[kind])
    enclaves.push(resources.add(enclave))
  }
})

afterEach(() => resources.stop())

type Overrides = Partial<ProverHostOptions> & { enclaves?: number[] }

/** A host in front of the scripted enclaves with these indices. */
async function start({ enclaves: indices = [0, 1], ...overrides }: Overrides = {}) {
  const host = await startProverHost({
    l1RpcUrl: l1Url,
    l1BeaconUrl: l1Url,
    l2RpcUrl: l2Url,
    chainId: l2ChainId,
    chains: chain.chains,
    listen: { host: '127.0.0.1', port: 0 },
    endpoints: new Map(indices.map((index) => [16 + index, enclaves[index]!.endpoint])),
    registryAddress: REGISTRY,
    version: '1.2.3',
    clock,
    logger: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    ...overrides,
  })
  resources.add(host)
  return { url: host.url, rpc: httpRpcClient(host.url), stop: host.stop }
}

const kinds = (index: number) => enclaves[index]!.requests.map(({ kind }) => kind)
const signer = (index: number) => accounts[index]!.address.toLowerCase() as Address
const prove = async (rpc: RpcClient) => {
  return await rpc.request('prover_prove', [proofRequestJson(await chain.request(1, 2))])
}

describe('start of the prover host', () => {
  it.each<[string, Overrides]>([
    ['an unknown chain (HOST-CFG-07)', { chainId: 999_999_999 }],
    ['several CIDs and no registry (HOST-CFG-15)', { registryAddress: undefined }],
    ['no CID (HOST-CFG-09)', { enclaves: [] }],
    ['no L1 URL (HOST-CFG-01)', { l1RpcUrl: '' }],
    ['no beacon URL (HOST-CFG-02)', { l1BeaconUrl: '' }],
    ['no L2 URL (HOST-CFG-03)', { l2RpcUrl: 'ftp://x' }],
    ['a timeout of 0', { proofTimeout: 0 }],
  ])('given %s, when started, then it fails', async (_, overrides) => {
    await expect(start(overrides)).rejects.toMatchObject({ code: 'HOST_CONFIG_INVALID' })
  })

  it('given one CID and no registry, when started, then it runs (HOST-CFG-14)', async () => {
    const { rpc } = await start({ enclaves: [0], registryAddress: undefined })
    expect(await rpc.request('healthz', [])).toEqual({ version: '1.2.3' })
  })

  it('given enclaves that are down, when started, then it runs (decisions 75-77)', async () => {
    await enclaves[0]!.stop()
    const { url } = await start({ enclaves: [0], registryAddress: undefined })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('GET /healthz', () => {
  it('given a valid signer, when read, then 200 and the bare result, for good (HOST-HEALTH-02..06)', async () => {
    valid = [signer(1)]
    const { url } = await start()
    for (const gone of [false, true]) {
      registryDown = gone
      const response = await fetch(`${url}/healthz`)
      expect([response.status, await response.json()]).toEqual([200, { version: '1.2.3' }])
    }
    expect(registryCalls).toHaveLength(2)
  })

  it('given no valid signer, when read, then 500 and the bare error (HOST-HEALTH-01)', async () => {
    const { url, rpc } = await start()
    const response = await fetch(`${url}/healthz`)
    const message = 'signer is not a valid signer in TEEProverRegistry'
    expect([response.status, await response.json()]).toEqual([500, { code: -32000, message }])
    await expect(rpc.request('healthz', [])).rejects.toMatchObject({ rpcCode: -32000 })
  })
})

describe('enclave_* over HTTP and UNIX sockets', () => {
  it('given two CIDs in either order, when keys are asked for, then they follow it (HOST-RPC-04)', async () => {
    const ahead = await start({ enclaves: [0, 1] })
    const back = await start({ enclaves: [1, 0] })
    const numbers = keys.map((key) => [...key])
    expect(await ahead.rpc.request('enclave_signerPublicKey', [])).toEqual(numbers)
    expect(await back.rpc.request('enclave_signerPublicKey', [])).toEqual(numbers.toReversed())
  })

  it('given a limit broken, when attested, then no connection is opened (ERR-09)', async () => {
    const { rpc } = await start()
    const long = Array<number>(513).fill(1)
    for (const params of [[long], [null, [[1]]], [null, [[1], long]]]) {
      const failed = rpc.request('enclave_signerAttestation', params)
      await expect(failed).rejects.toMatchObject({ rpcCode: -32602 })
    }
    expect(enclaves.map(({ connections }) => connections())).toEqual([0, 0])
  })

  it('given one enclave down, when both are asked, then the call fails (HOST-RPC-09)', async () => {
    await enclaves[1]!.stop()
    const { rpc } = await start()
    await expect(rpc.request('enclave_signerPublicKey', [])).rejects.toMatchObject({
      rpcCode: -32001,
      message: expect.stringContaining('connect failed: '),
    })
  })
})

describe('prover_prove over HTTP and UNIX sockets', () => {
  it('given a valid second enclave, when proving, then it alone gets one Prove frame (ROUTE-06..09, PIPE-06)', async () => {
    valid = [signer(1)]
    const { rpc } = await start()
    expect(await prove(rpc)).toMatchObject({
      Tee: { aggregate_proposal: { signature: proposal.signature } },
    })
    expect(kinds(0)).toEqual(['SignerPublicKey'])
    expect(kinds(1)).toEqual(['SignerPublicKey', 'Prove'])
    expect(registryCalls.map(({ to }) => to)).toEqual([REGISTRY, REGISTRY])
    expect(registryCalls.map((call) => call.signer.toLowerCase())).toEqual([signer(0), signer(1)])
    expect(logged.some((line) => line.includes(signer(0)))).toBe(true)
  })

  it('given no registry, when proving, then the enclave is used unasked (ROUTE-11)', async () => {
    const { rpc } = await start({ enclaves: [0], registryAddress: undefined })
    await prove(rpc)
    expect(kinds(0)).toEqual(['Prove'])
    expect(registryCalls).toEqual([])
  })

  it.each([
    ['no valid signer (ERR-10)', false],
    ['a registry that fails (SAFE-10)', true],
  ])('given %s, when proving, then -32001 and no Prove frame', async (_, down) => {
    registryDown = down
    const { rpc } = await start()
    await expect(prove(rpc)).rejects.toMatchObject({ rpcCode: -32001 })
    expect([...kinds(0), ...kinds(1)]).not.toContain('Prove')
  })

  it('given a first enclave that is down, when proving, then the second serves (ROUTE-05)', async () => {
    valid = [signer(0), signer(1)]
    await enclaves[0]!.stop()
    const { rpc } = await start()
    await prove(rpc)
    expect(kinds(1)).toEqual(['SignerPublicKey', 'Prove'])
  })

  it('given a wrong claim, when proving, then the host itself refuses and the enclave gets nothing', async () => {
    const { rpc } = await start({ enclaves: [0], registryAddress: undefined })
    const request = { ...(await chain.request(1, 2)), claimedL2OutputRoot: hash('99') }
    await expect(rpc.request('prover_prove', [proofRequestJson(request)])).rejects.toMatchObject({
      rpcCode: -32000,
      message: expect.stringContaining('witness generation failed: invalid claim: computed 0x'),
    })
    expect(kinds(0)).toEqual([])
  })

  it('given an enclave that stalls, when 1740 s have passed, then -32000 names the block (ERR-12, ERR-13)', async () => {
    reactions[0]!.Prove = 'stall'
    const { rpc } = await start({ enclaves: [0], registryAddress: undefined })
    const failed = expect(prove(rpc)).rejects.toMatchObject({
      rpcCode: -32000,
      message: expect.stringContaining('proof request timed out after 1740s for L2 block 2'),
    })
    await enclaves[0]!.arrived(1)
    await clock.advance(1_740_000)
    await failed
  })

  it('given a proof in flight, when the host stops, then it is finished and new calls are refused (HOST-START-07, HOST-START-08)', async () => {
    const proven = await reactions[0]!.Prove
    const gate = Promise.withResolvers<Reaction>()
    reactions[0]!.Prove = gate.promise
    const { rpc, url, stop } = await start({ enclaves: [0], registryAddress: undefined })
    const params = [proofRequestJson(await chain.request(1, 2))]
    const answer = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prover_prove', params }),
    })
    await enclaves[0]!.arrived(1)
    const stopped = stop()
    await expect(rpc.request('healthz', [])).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })
    gate.resolve(proven)
    expect(await (await answer).json()).toHaveProperty('result.Tee')
    await stopped
  })

  it('given an enclave error, when proving, then its message comes back (ERR-14, ERR-15)', async () => {
    reactions[0]!.Prove = { kind: 'Error', message: 'unsupported chain: 1' }
    const { rpc } = await start({ enclaves: [0], registryAddress: undefined })
    await expect(prove(rpc)).rejects.toMatchObject({
      rpcCode: -32000,
      message: expect.stringContaining('proving failed: enclave error: unsupported chain: 1'),
    })
  })
})
