import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { type RunningFollower, startFollower } from '#devnet/l2/follower/start-follower'
import type { ChainEvents, ChainView } from '#devnet/l2/node/chain-view'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'
import { transfer } from '../sequencer/transfer.ts'

/** L1 blocks; more than anvil's `finalized` lies behind its head. */
const DEPTH = 5
/** L2 blocks after the start, from which on such a reorg spares what the devnet did on L1 for it. */
const SPARED = 12n

let devnet: Devnet
let follower: RunningFollower

beforeAll(async () => {
  devnet = await startDevnet({
    blockTime: 1,
    l1BlockTime: 1,
    batchInterval: 300,
    logLevel: 'silent',
  })
  follower = await startFollower({
    ...(await genesis()),
    l1RpcUrl: devnet.l1.rpcUrl,
    clock: systemClock,
  })
})
afterAll(async () => {
  await follower?.stop()
  await devnet?.stop()
})

describe('given a devnet whose L1 drops blocks', () => {
  let removed: Block[]
  let lowest: bigint

  beforeAll(async () => {
    const { chain } = devnet.node
    const started = chain.latest().header.number
    await next(chain, 'safe', ({ header }) => header.number >= started + SPARED)
    const hash = await chain.submit(transfer(0, 0))
    await next(chain, 'sealed', holds(hash))
    const reorg = next(chain, 'reorg', () => true)
    await httpRpcClient(devnet.l1.rpcUrl).request('anvil_reorg', [DEPTH, []])
    removed = (await reorg).removed
    lowest = removed.at(-1)!.header.number
    const back = chain.findTransaction(hash)
    if (!back || !('hash' in back.block)) await next(chain, 'sealed', holds(hash))
    await Promise.all([
      next(chain, 'finalized', ({ header }) => header.number > lowest + 3n),
      next(follower.chain, 'finalized', ({ header }) => header.number > lowest + 3n),
    ])
  })

  test('then the sequencer goes on with other blocks, all of whose L1 origins are there', async () => {
    const { chain } = devnet.node
    for (const block of removed) {
      expect(chain.blockByNumber(block.header.number)?.hash).not.toBe(block.hash)
    }
    expect(chain.divergence()).toBeUndefined()
  })

  test('then a follower that saw it has the same blocks, and the same are safe', () => {
    const { chain } = devnet.node
    const common = follower.chain.finalized().header.number
    for (let number = 1n; number <= common; number++) {
      expect(follower.chain.blockByNumber(number)?.hash).toBe(chain.blockByNumber(number)?.hash)
    }
  })

  test('when `rollbed follow` compares, then it finds no difference, and says so', async () => {
    const { exitCode, stdout } = await rollbed('follow', '--to', String(lowest + 3n), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      against: devnet.description.rpcUrl,
      compared: Number(lowest + 3n),
      difference: null,
    })
    expect(exitCode).toBe(0)
  })

  test('when `rollbed follow` is given another chain, then it names the first block and a field, and fails', async () => {
    const range = ['--against', devnet.l1.rpcUrl, '--to', '1', '--json']
    const { exitCode, stdout } = await rollbed('follow', ...range)
    expect(JSON.parse(stdout).difference).toMatchObject({
      number: 0,
      ours: expect.anything(),
      theirs: expect.anything(),
    })
    expect(exitCode).toBe(1)
  })

  test('when a range over the new blocks is proven, then it can be', async () => {
    const range = ['--from', String(lowest), '--to', String(lowest + 3n), '--interval', '2']
    const { exitCode, stdout, stderr } = await rollbed('prove', ...range)
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout).Tee.aggregate_proposal.l2_block_number).toBe(Number(lowest + 3n))
  })
})

function rollbed(...args: string[]) {
  return new RollbedProcess(args, {
    prepare: (folder) => writeDevnetFile(`${folder}/.rollbed/devnet.json`, devnet.description),
  }).outcome
}

/** The next event of a kind that satisfies a condition. */
function next<K extends keyof ChainEvents>(
  chain: ChainView,
  event: K,
  condition: (value: ChainEvents[K]) => boolean,
): Promise<ChainEvents[K]> {
  return new Promise((resolve) => {
    const end = chain.on(event, (value) => {
      if (!condition(value)) return
      end()
      resolve(value)
    })
  })
}

function holds(hash: Hash) {
  return ({ transactions }: Block) => transactions.some((each) => each.hash === hash)
}

/** As anybody makes it who knows the devnet's configuration. */
async function genesis() {
  const { l1, l2Time } = devnet.config.genesis
  const { config, block, store } = await rollupGenesis({
    l1Start: { ...l1, number: BigInt(l1.number), timestamp: l2Time },
    contracts: l1ContractAddresses(roleKeys.deployer.address),
    fork: devnet.config.fork,
    blockTime: devnet.config.blockTime,
  })
  return { config, genesis: block, store }
}
