import { gunzipSync } from 'node:zlib'
import {
  createPublicClient,
  custom,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseEther,
  type TransactionSerializable,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { deployBridgeContracts } from '#devnet/l1/deploy-bridge-contracts'
import { deployProofContracts } from '#devnet/l1/deploy-proof-contracts'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { type L1, type L1BlockRef, startL1 } from '#devnet/l1/start-l1'
import { devnetSystemConfig } from '#devnet/rollup/genesis/devnet-system-config'
import { l1Methods } from '#devnet/rollup/world/l1/l1-methods'
import { type SimulatedL1, startSimulatedL1 } from '#devnet/rollup/world/l1/simulated-l1'
import { methodsClient } from '#devnet/rollup/world/network/memory-rpc'
import { l1ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { HISTORY_STORAGE } from '#protocol/execution/predeploys'
import type { Address } from '#protocol/types/bytes'
import { canonicalRoot } from '#suites/oracles/differential/canonical-root'
import type { AnvilAccount } from '#suites/oracles/differential/reference-anvil'

const GENESIS_TIME = 1_700_000_000
const ZERO = `0x${'00'.repeat(32)}` as const

let anvil: L1
let simulated: SimulatedL1
let theirs: RpcClient
let ours: RpcClient
/** What anvil drew for its next block: only so can hashes be the same. */
let prevRandao: Uint8Array = new Uint8Array(32)

beforeAll(async () => {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  anvil = await startL1({ clock, genesisTime: GENESIS_TIME, blockTime: 0 })
  simulated = await startSimulatedL1({
    clock,
    rng: { bytes: () => prevRandao },
    chainId: l1ChainId,
    genesisTime: GENESIS_TIME,
    blockTime: 0,
  })
  theirs = httpRpcClient(anvil.rpcUrl)
  ours = methodsClient(await l1Methods(simulated, clock), clock)
})

afterAll(async () => {
  await simulated?.stop()
  await anvil?.stop()
})

let time = GENESIS_TIME

/** Mines on anvil, and the same block here. */
async function mineBoth(): Promise<{ block: L1BlockRef; own: L1BlockRef }> {
  time += 12
  const block = await anvil.mine(time)
  const { mixHash } = (await theirs.request('eth_getBlockByNumber', ['latest', false])) as {
    mixHash: Hex
  }
  prevRandao = Buffer.from(mixHash.slice(2), 'hex')
  return { block, own: await simulated.mine(time) }
}

const both = <T>(ask: (rpc: RpcClient) => Promise<T>): Promise<[T, T]> =>
  Promise.all([ask(theirs), ask(ours)])

type Json = Record<string, unknown>

/** The newest block and its receipts. What anvil alone adds is left out; it counts no byte for no withdrawals. */
async function newestBlock(rpc: RpcClient) {
  const block = (await rpc.request('eth_getBlockByNumber', ['latest', false])) as Json
  const { totalDifficulty: _, size: _size, hash, parentHash, stateRoot, ...fields } = block
  const receipts = (await rpc.request('eth_getBlockReceipts', ['latest'])) as Json[]
  return { roots: { hash, parentHash, stateRoot }, fields, receipts: receipts.map(withoutHash) }
}

/** Hashes of blocks differ once anvil's state root is not canonical any more. */
function withoutHash({
  blockHash: _,
  blobGasPrice: _price,
  blockTimestamp: _time,
  ...rest
}: Json): Json {
  const { logs } = rest as { logs?: Json[] }
  return logs ? { ...rest, logs: logs.map(withoutHash) } : rest
}

/** @param isCanonical anvil's own root is compared, too: its tries keep zeros, so only before any is written */
async function expectSameBlock({ isCanonical = false } = {}): Promise<void> {
  const [their, our] = await both(newestBlock)
  expect(our.fields).toEqual(their.fields)
  expect(our.receipts).toEqual(their.receipts)
  if (isCanonical) expect(our.roots).toEqual(their.roots)
  expect(our.roots.stateRoot).toBe(await canonicalRoot(await theirState()))
}

/** All accounts of anvil, but with our hashes of ancestors (EIP-2935). */
async function theirState(): Promise<Record<Address, AnvilAccount>> {
  const dump = (await theirs.request('anvil_dumpState', [])) as Hex
  const json = gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()
  const { accounts } = JSON.parse(json) as { accounts: Record<Address, AnvilAccount> }
  const { number } = simulated.latest().header
  const ancestors = Array.from({ length: Number(number) }, (_, at): [Hex, Hex] => [
    numberToHex(at, { size: 32 }),
    simulated.blockByNumber(BigInt(at))!.hash,
  ])
  return mapHistory(accounts, Object.fromEntries(ancestors))
}

function mapHistory(accounts: Record<Address, AnvilAccount>, storage: Record<Hex, Hex>) {
  const entries = Object.entries(accounts).map(([address, account]) =>
    address.toLowerCase() === HISTORY_STORAGE
      ? [address, { ...account, storage }]
      : [address, account],
  )
  return Object.fromEntries(entries) as Record<Address, AnvilAccount>
}

/** Sends to anvil what is then sent here too and mined on both. */
async function deployOnBoth(
  deploy: (rpcUrl: RpcClient, mine: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  // There are no receipts on anvil yet, about which it complains; what really fails shows below.
  await deploy(theirs, async () => {}).catch(() => {})
  await deploy(ours, mineBoth)
  await expectSameBlock()
}

const sender = privateKeyToAccount(userKeys[0]!.privateKey)
let nonce = 0

async function send(transaction: Partial<TransactionSerializable>): Promise<void> {
  const raw = await sender.signTransaction({
    chainId: l1ChainId,
    type: 'eip1559',
    nonce: nonce++,
    gas: 1_000_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...transaction,
  } as never)
  const [their, our] = await both((rpc) => rpc.request('eth_sendRawTransaction', [raw]))
  expect(our).toBe(their)
}

describe('the simulated L1 against anvil', () => {
  test('given both at genesis, then block 0 and empty blocks have the same hash', async () => {
    const [their, our] = await both((rpc) => rpc.request('eth_getBlockByNumber', ['0x0', false]))
    expect(our).toMatchObject({ hash: (their as { hash: Hex }).hash })
    for (let i = 0; i < 3; i++) {
      const { block, own } = await mineBoth()
      expect(own).toEqual(block)
    }
    await expectSameBlock({ isCanonical: true })
  })

  test('given our contracts deployed on both, then blocks, receipts and roots are the same', async () => {
    const owner = { chainId: l1ChainId, systemConfig: devnetSystemConfig }
    await deployOnBoth((rpcUrl, mine) => deployBridgeContracts({ ...owner, rpcUrl, mine }))
    await deployOnBoth((rpcUrl, mine) =>
      deployProofContracts({
        ...{ ...owner, rpcUrl, mine },
        l2GenesisOutputRoot: `0x${'11'.repeat(32)}`,
        configHash: `0x${'22'.repeat(32)}`,
        teeImageHash: `0x${'33'.repeat(32)}`,
      }),
    )
    await deployOnBoth((rpcUrl, mine) =>
      registerDevSigners({ ...owner, rpcUrl, mine }, [
        { signer: `0x${'44'.repeat(20)}`, imageHash: `0x${'33'.repeat(32)}` },
      ]),
    )
  })

  test('given transfers, calls, reverts, creations, access lists and delegations, then nothing differs', async () => {
    const portal = l1ContractAddresses(roleKeys.deployer.address).optimismPortal
    const other = privateKeyToAccount(userKeys[1]!.privateKey)
    await send({ to: `0x${'99'.repeat(20)}`, value: parseEther('1') })
    await send({
      to: portal,
      value: 5n,
      data: encodeFunctionData({
        abi: optimismPortalAbi,
        functionName: 'depositTransaction',
        args: [other.address, 5n, 100_000n, false, '0xabcd'],
      }),
    })
    // Reverts: no such function.
    await send({ to: portal, data: '0xdeadbeef' })
    // Stores 7 at slot 1, and gives it back: a refund.
    await send({ to: null, data: '0x600760015560006001555f5ff3' })
    // Its code would begin with 0xef.
    await send({ to: null, data: '0x60ef5f5360015ff3' })
    await send({
      type: 'eip2930',
      gasPrice: 3_000_000_000n,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
      to: portal,
      accessList: [{ address: portal, storageKeys: [ZERO] }],
    } as never)
    await send({
      type: 'legacy',
      gasPrice: 3_000_000_000n,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
      to: other.address,
      value: 3n,
    } as never)
    await mineBoth()
    await expectSameBlock()

    const authorization = await other.signAuthorization({
      chainId: l1ChainId,
      address: portal,
      nonce: 0,
    })
    await send({ type: 'eip7702', to: other.address, authorizationList: [authorization] } as never)
    // 0x100 is no precompile of Prague, as it is on OP chains: nothing runs, and nothing is paid for it.
    await send({ to: `0x${'0100'.padStart(40, '0')}` })
    // Base fee, prevRandao, chain id, origin and time, in one log.
    const looks = '0x485f524460205246604052326060524260805260a05fa05f5ff3'
    await send({ to: null, data: looks })
    await mineBoth()
    await expectSameBlock()
    expect(await both((rpc) => rpc.request('eth_getCode', [other.address, 'latest']))).toSatisfy(
      ([their, our]) => their === our && their.startsWith('0xef0100'),
    )
  })

  test('given calls, estimates, logs and counts asked of both, then the answers are the same', async () => {
    const to = l1ContractAddresses(roleKeys.deployer.address)
    const asked: [string, unknown[]][] = [
      ['eth_blockNumber', []],
      ['eth_chainId', []],
      ['eth_getBalance', [sender.address, 'latest']],
      ['eth_getTransactionCount', [sender.address, 'pending']],
      ['eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address: to.optimismPortal }]],
      ['eth_getStorageAt', [to.teeProverRegistry, ZERO, 'latest']],
      ['eth_call', [{ to: to.disputeGameFactory, data: '0x4d1975b4' }, 'latest']],
      ['eth_gasPrice', []],
      ['eth_getTransactionReceipt', [ZERO]],
    ]
    for (const [method, params] of asked) {
      const [their, our] = await both((rpc) => rpc.request(method, params))
      expect([method, plain(our)]).toEqual([method, plain(their)])
    }
    for (const tag of ['safe', 'finalized', 'earliest', '0x2']) {
      const [their, our] = await both((rpc) => rpc.request('eth_getBlockByNumber', [tag, false]))
      expect(our).toMatchObject({ number: (their as { number: Hex }).number })
    }
  })

  test('given a call that reverts, then both say so with the same code and data', async () => {
    const refusals = await both(async (rpc) => {
      const provider = { request: ({ method, params }: never) => rpc.request(method, params) }
      const client = createPublicClient({ transport: custom(provider as never) })
      const data = encodeDeployData({ abi: [], bytecode: '0x63deadbeef5f526004601cfd' })
      return client.call({ data }).then(
        () => undefined,
        (error) => error.walk((each: { data?: unknown }) => each.data !== undefined)?.data,
      )
    })
    expect(refusals[1]).toEqual(refusals[0])
    expect(JSON.stringify(refusals[0])).toContain('deadbeef')
  })
})

function plain(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(plain)
  return typeof answer === 'object' && answer !== null ? withoutHash(answer as Json) : answer
}
