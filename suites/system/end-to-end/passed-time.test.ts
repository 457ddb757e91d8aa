import { createPublicClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { testActions } from '#devnet/sdk/viem/test-actions'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { decodeAttestation } from '#enclave/attestation/decode-attestation'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { systemClock } from '#protocol/clock/system-clock'

const BLOCK = 600
const DAY = 86_400
/** Five days until the first game is over, and some blocks more until it is paid. */
const isLong = process.env.ROLLBED_LONG_TIME === '1'
const JOURNEY = isLong ? 5 * DAY + 10 * BLOCK : 10 * BLOCK

let devnet: Devnet
let l2: RpcClient
let host: RpcClient
beforeAll(async () => {
  // Long blocks, so that five days are few of them.
  devnet = await startDevnet({
    clock: 'manual',
    blockTime: BLOCK,
    flashblockTime: (BLOCK * 1000) / 2,
    batchInterval: BLOCK * 1000,
    actors: true,
    faults: true,
    logLevel: 'silent',
  })
  l2 = httpRpcClient(devnet.description.rpcUrl)
  host = httpRpcClient(devnet.description.proverUrl)
})
afterAll(() => devnet.stop())

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl) })
const seconds = (block: { header: { timestamp: bigint } }) => Number(block.header.timestamp)

describe('given a devnet with a manual clock', () => {
  test('when nobody passes time, then no block comes, and a transaction waits', async () => {
    const [user] = userKeys
    const raw = await privateKeyToAccount(user!.privateKey).signTransaction({
      chainId: devnet.description.chainId,
      nonce: 0,
      to: user!.address,
      value: parseEther('1'),
      gas: 21_000n,
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
    const hash = await l2.request('eth_sendRawTransaction', [raw])
    expect(await l2.request('eth_getTransactionReceipt', [hash])).toBeNull()

    const { chain } = devnet.node
    const before = seconds(chain.latest())
    await l2.request('rollbed_increaseTime', [BLOCK])
    expect(seconds(chain.latest())).toBe(before + BLOCK)
    const client = createPublicClient({ transport: http(devnet.description.rpcUrl) })
    await client.extend(testActions()).passTime({ seconds: BLOCK })
    expect(seconds(chain.latest())).toBe(before + 2 * BLOCK)
    expect(await l2.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('when hours pass in one call, with ROLLBED_LONG_TIME=1 days, then blocks, batches, heads and games are where they would be', async () => {
    const began = seconds(devnet.node.chain.latest())
    // A game is ten blocks, and some more until they are final.
    await devnet.passTime(20 * BLOCK)
    const now = await l2.request('rollbed_increaseTime', [JOURNEY])
    expect(Number(now)).toBeGreaterThanOrEqual(began + 20 * BLOCK + JOURNEY)

    const { chain } = devnet.node
    const blocks = 20 + JOURNEY / BLOCK
    expect(seconds(chain.latest())).toBe(began + blocks * BLOCK)
    expect(Number(chain.latest().header.number)).toBe(blocks + 2)
    expect(chain.divergence()).toBeUndefined()
    expect(chain.latest().header.number - chain.finalized().header.number).toBeLessThan(12n)
    const l1Head = await l1().getBlock()
    expect(Math.abs(Number(l1Head.timestamp) - seconds(chain.latest()))).toBeLessThanOrEqual(BLOCK)

    const { disputeGameFactory } = devnet.description.contracts
    const factory = { address: disputeGameFactory, abi: disputeGameFactoryAbi } as const
    const count = await l1().readContract({ ...factory, functionName: 'gameCount' })
    expect(Number(count)).toBeGreaterThanOrEqual(Math.floor(blocks / 10) - 2)
    const [, , address] = await l1().readContract({
      ...factory,
      functionName: 'gameAtIndex',
      args: [0n],
    })
    const game = { address, abi: aggregateVerifierAbi } as const
    // In progress, or the defender has won.
    const status = await l1().readContract({ ...game, functionName: 'status' })
    const isPaid = await l1().readContract({ ...game, functionName: 'bondClaimed' })
    expect([status, isPaid]).toEqual(isLong ? [2, true] : [0, false])
  })

  test('when asked for an attestation then, then it and its certificate are of that time', async () => {
    const documents = await host.request('enclave_signerAttestation', [])
    const [document] = documents as number[][]
    const { attestation } = decodeAttestation(Uint8Array.from(document!))
    const attestedAt = Number(attestation.timestamp) / 1000
    expect(Math.abs(attestedAt - seconds(devnet.node.chain.latest()))).toBeLessThanOrEqual(
      2 * BLOCK,
    )
  })

  test('when the way to an enclave is all but blocked, then a proof fails after its 1,740 s', async () => {
    const to = Number(devnet.node.chain.safe().header.number)
    const faults = httpRpcClient(devnet.description.faultsUrl!)
    // Too slow for what is to be proven, not for a question.
    const narrow = ['link:host-enclave.16', 'bandwidth', { rate: 1 }]
    await faults.request('rollbed_faultInject', narrow)
    let failure: unknown
    const proof = proveRange({
      ...devnet.description,
      from: to,
      to,
      interval: 1,
      proposer: roleKeys.proposer.address,
      clock: systemClock,
    }).catch((error: unknown) => {
      failure = error
    })
    let passed = 0
    for (; !failure && passed < 3 * 1740; passed += 60) await devnet.passTime(60)
    await faults.request('rollbed_faultClear', [])
    await proof
    expect(String(failure)).toMatch(/timed? ?out/i)
    expect(passed).toBeGreaterThanOrEqual(1740)
    expect(passed).toBeLessThan(1740 + BLOCK)
  })

  test('when a time is over, or is asked of a branch, then the call says so', async () => {
    const now = seconds(devnet.node.chain.latest())
    await expect(l2.request('rollbed_setTime', [now - 1])).rejects.toMatchObject({
      data: expect.stringContaining('never goes back'),
    })
    await expect(l2.request('rollbed_increaseTime', [200 * DAY])).rejects.toMatchObject({
      data: expect.stringContaining('is more than'),
    })
    await using branch = await devnet.branch()
    const there = httpRpcClient(branch.rpcUrl)
    await expect(there.request('rollbed_increaseTime', [1])).rejects.toThrow(
      'no L1, host or actors',
    )
  })
})

test('given a devnet at the pace of the machine, when time is set, then all of it goes on from there', async () => {
  await using quick = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  const rpc = httpRpcClient(quick.description.rpcUrl)
  const then = seconds(quick.node.chain.latest()) + 40
  expect(await rpc.request('rollbed_setTime', [then])).toBeGreaterThanOrEqual(then)
  expect(seconds(quick.node.chain.latest())).toBeGreaterThanOrEqual(then - 4)
  await nextSealed(quick)
  expect(quick.node.chain.divergence()).toBeUndefined()
})

describe('given the time cheats of anvil and Hardhat', () => {
  test('when they name a time at which a block is due, then L1 passes it too, and the chain stays provable', async () => {
    await using quick = await startDevnet({ clock: 'manual', enclaves: 0, logLevel: 'silent' })
    const { chain } = quick.node
    const rpc = httpRpcClient(quick.description.rpcUrl)
    const l1Client = createPublicClient({ transport: http(quick.description.l1RpcUrl) })
    const building = async () =>
      Number(Object(await rpc.request('eth_getBlockByNumber', ['pending', false])).timestamp)

    const start = await building()
    expect(await rpc.request('evm_increaseTime', [60])).toBe(60)
    expect(await building()).toBe(start + 60)
    expect(await rpc.request('evm_increaseTime', [20])).toBe(80)

    // As Hardhat's helpers do: the time of the next block, and that block.
    const then = (await building()) + 60
    await rpc.request('evm_setNextBlockTimestamp', [then])
    await rpc.request('hardhat_mine', [])
    expect(seconds(chain.latest())).toBe(then)
    const set = (await building()) + 20
    await rpc.request('evm_setTime', [set])
    expect(await building()).toBe(set)

    expect(chain.divergence()).toBeUndefined()
    expect(Number((await l1Client.getBlock()).timestamp)).toBeGreaterThan(then - 24)
    const { number } = chain.latest().header
    await quick.passTime(60)
    expect(chain.safe().header.number).toBeGreaterThan(number)
  })

  test.each([
    ['at which no block is due', 33],
    ['too far away', 86_400],
  ])('when they name a time %s, then this chain alone goes there, at once', async (_, ahead) => {
    await using quick = await startDevnet({ clock: 'manual', enclaves: 0, logLevel: 'silent' })
    const rpc = httpRpcClient(quick.description.rpcUrl)
    await quick.passTime(4)
    const before = quick.node.chain.latest()
    await rpc.request('evm_increaseTime', [ahead])
    await rpc.request('evm_mine', [])
    const latest = quick.node.chain.latest()
    expect(seconds(latest)).toBe(seconds(before) + 2 + ahead)
    expect(latest.header.number).toBe(before.header.number + 1n)
    expect(quick.node.chain.divergence()).toMatchObject({ cause: 'timestamp' })
  })
})

test('given time that passes, when the devnet is stopped meanwhile, then who waits for it is told that it was cut short', async () => {
  const stopped = await startDevnet({ clock: 'manual', enclaves: 0, logLevel: 'silent' })
  onTestFinished(() => stopped.stop())
  const rpc = httpRpcClient(stopped.description.rpcUrl)
  const answered = rpc.request('rollbed_increaseTime', [DAY]).catch((error: unknown) => error)
  await nextSealed(stopped)
  const own = stopped.passTime(DAY).catch((error: unknown) => error)
  await stopped.stop()
  expect(await own).toMatchObject({ code: 'TIME_CUT_SHORT' })
  // How it is told by JSON-RPC is tested beside the method.
  expect(await answered).toBeInstanceOf(Error)
})

function nextSealed({ node }: Devnet): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  node.chain.on('sealed', () => resolve())
  return promise
}
