import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { startProverHost } from '#devnet/proving/prover/start-prover-host'
import { bootLocal } from '#enclave/server/boot-identity'
import { createEnclave } from '#enclave/server/create-enclave'
import { serveConnection } from '#enclave/server/serve-connection'
import { listenHybrid } from '#enclave/vsock/hybrid-listener'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { configHash } from '#protocol/derivation/config-hash'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { seededRng } from '#protocol/random/rng'
import { jsonRpcEndpoint } from './json-rpc-endpoint.ts'
import { type TestChain, testChain } from './test-chain.ts'

const IDS = [
  { l1ChainId: 1337, l2ChainId: 700_001 },
  { l1ChainId: 7331, l2ChainId: 700_002 },
]
const clock = new VirtualClock()
const resources = new ResourceStack()
let chains: TestChain[]
let socket: string

beforeAll(async () => {
  chains = await Promise.all(IDS.map(async (ids) => resources.add(await testChain(ids))))
  for (const chain of chains) {
    for (let block = 1; block <= 2; block++) await chain.build([await chain.sign()])
    await chain.post()
    chain.l2.safe = 2
  }
  const known = new Map(chains.flatMap((chain) => [...chain.chains]))
  const log = () => undefined
  const enclave = createEnclave({
    identity: bootLocal(seededRng('two chains')),
    program: async (preimages) => runProgram(verifiedOracle(preimages), { chains: known }),
    log,
  })
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  socket = join(folder, 'vsock')
  const onConnection = (stream: Parameters<typeof serveConnection>[0]) =>
    void serveConnection(stream, { enclave, clock, log })
  const listener = await listenHybrid({ path: socket, port: 8000, clock, onConnection })
  resources.defer(() => listener.close())
})
afterAll(() => resources.stop())

/** A host that knows both chains, is told one, and has the RPC endpoints of one. */
async function proofOf({ l2ChainId }: (typeof IDS)[0], chain: TestChain) {
  const own = resources
  const l1Methods = ['eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getBlockReceipts']
  const l2Methods = ['debug_getRawHeader', 'debug_getRawBlock', 'debug_dbGet']
  const l1 = own.add(await jsonRpcEndpoint(chain.l1, l1Methods))
  const l2 = own.add(await jsonRpcEndpoint(chain.l2, [...l2Methods, 'eth_getBlockByNumber']))
  const host = own.add(
    await startProverHost({
      l1RpcUrl: l1.url,
      l1BeaconUrl: l1.url,
      l2RpcUrl: l2.url,
      chainId: l2ChainId,
      chains: new Map(chains.flatMap((each) => [...each.chains])),
      listen: { host: '127.0.0.1', port: 0 },
      endpoints: new Map([[16, `unix:${socket}:8000`]]),
      clock,
      logger: pino({ level: 'silent' }),
    }),
  )
  const range = { from: 1, to: 2, interval: 1, proposer: roleKeys.proposer.address }
  const urls = { rpcUrl: l2.url, l1RpcUrl: l1.url, proverUrl: host.url }
  return await proveRange({ ...urls, ...range, clock })
}

it('given one host program for two chains on two L1s, then the chain id picks config and config hash (HOST-CFG-05, HOST-CFG-06, HOST-START-02)', async () => {
  const hashes: string[] = []
  for (const [index, chain] of chains.entries()) {
    const { proposals } = (await proofOf(IDS[index]!, chain)).Tee
    for (const { config_hash } of proposals) expect(config_hash).toBe(configHash(chain.config))
    hashes.push(proposals[0]!.config_hash)
  }
  expect(hashes[0]).not.toBe(hashes[1])
})

it('given the id of one chain and the endpoints of the other, then nothing is signed', async () => {
  await expect(proofOf(IDS[0]!, chains[1]!)).rejects.toThrow(/witness generation failed|chain/)
})
