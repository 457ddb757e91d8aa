import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, type Hex, http, keccak256, parseEventLogs, stringToBytes } from 'viem'
import { expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import { writeDevnetFile } from '#devnet/cli/devnet-file'
import { mineAt } from '#devnet/scenarios/l1-time'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { runExample } from './run-example.ts'

/** Runs it beside a devnet whose first game ends at block `count`, and once more. */
async function propose(count: number, options?: DevnetOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  try {
    await using devnet = await devnetWithBlocks(count, options)
    const { description } = devnet
    // Its blocks were sealed faster than time goes, and no game takes what L1's time has not come to.
    const { timestamp } = devnet.node.chain.latest().header
    await mineAt(httpRpcClient(description.l1RpcUrl), timestamp + 1n)
    const file = join(folder, 'devnet.json')
    writeDevnetFile(file, description)
    const run = () => runExample('own-proposer.ts', file)
    const proposed = (await run()) as { status: string; hash: Hex; block: number; claim: Hex }
    expect(proposed).toMatchObject({ status: 'success', block: count })

    const l1 = createPublicClient({ transport: http(description.l1RpcUrl) })
    const { logs } = await l1.getTransactionReceipt({ hash: proposed.hash })
    const eventName = 'DisputeGameCreated'
    const [created] = parseEventLogs({ abi: disputeGameFactoryAbi, eventName, logs })
    expect(created?.args).toMatchObject({ gameType: 621, rootClaim: proposed.claim })
    const address = created!.args.disputeProxy
    const creator = await l1.readContract({
      address,
      abi: aggregateVerifierAbi,
      functionName: 'gameCreator',
    })
    expect(creator.toLowerCase()).toBe(userKeys[0]!.address)

    const { block, claim } = proposed
    expect(await run()).toEqual({ status: 'exists', game: address, block, claim })
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('given the proposer of own-actors.md, when it runs beside a devnet, then its game is on L1', () =>
  propose(10))

// A game there has ten times as many blocks.
test("given the proposer of own-actors.md, when it runs beside a devnet of today's Base, then its game is on L1", () =>
  propose(100, { upgrades: 'today', blockTime: undefined }))

test('given the keys of own-actors.md, then they are those of the devnet', async () => {
  const page = await readFile(
    new URL('../../../devnet/docs/own-actors.md', import.meta.url),
    'utf8',
  )
  for (const role of ['registrar', 'deployer'] as const) {
    const { privateKey } = roleKeys[role]
    expect(keccak256(stringToBytes(`rollbed dev key: ${role}`))).toBe(privateKey)
    expect(page).toContain(privateKey)
  }
})
