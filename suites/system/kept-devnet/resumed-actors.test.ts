import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, type PublicClient, webSocket } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { closeSocket } from '../end-to-end/close-socket.ts'
import { onEachBlockUntil } from '../end-to-end/on-each-block-until.ts'

/** Seconds after which a game that nobody disputes is won. */
const GAME_TIME = 5 * 86_400
const DEFENDER_WON = 2

// A game is ten blocks: the first one ends before the stop, the second one's proof spans it.
test('given a devnet with actors that was stopped after its first game, when it is started again, then its new signer alone is registered, the next game’s proof spans the stop, and the first game is won', async () => {
  const state = mkdtempSync(join(tmpdir(), 'rollbed-resumed-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))

  const before = await startWithActors(state)
  await seal(before.devnet, 15)
  await onEachBlockUntil(before.l1, async () => (await gamesOf(before)).length > 0)
  const [first] = await gamesOf(before)
  const oldSigner = before.devnet.description.enclaves[0]!.signer
  expect(await signersOf(before)).toEqual([oldSigner])
  await before.stop()

  const after = await startWithActors(state)
  expect(await gamesOf(after)).toEqual([first])
  expect(after.devnet.node.chain.latest().header.number).toBe(15n)
  const newSigner = after.devnet.description.enclaves[0]!.signer
  expect(newSigner).not.toBe(oldSigner)
  await onEachBlockUntil(after.l1, async () => (await signersOf(after)).join() === newSigner)

  await seal(after.devnet, 5)
  await onEachBlockUntil(after.l1, async () => (await gamesOf(after)).length > 1)
  const [, second] = await gamesOf(after)
  expect([first!.block, second!.block]).toEqual([10n, 20n])
  expect(second!.parent).toBe(first!.address)
  expect(second!.proofs).toBe(1)

  const l1 = httpRpcClient(after.devnet.description.l1RpcUrl)
  await l1.request('evm_increaseTime', [GAME_TIME])
  await onEachBlockUntil(after.l1, async () => (await gamesOf(after))[0]!.status === DEFENDER_WON)
  await after.stop()
})

interface Run {
  devnet: Devnet
  l1: PublicClient
  stop(): Promise<void>
}

async function startWithActors(state: string): Promise<Run> {
  const devnet = await startDevnet({
    ...{ state, actors: true, manual: true, l1BlockTime: 1, batchInterval: 200 },
    logLevel: 'silent',
  })
  const url = devnet.description.l1RpcUrl.replace('http', 'ws')
  const l1 = createPublicClient({ transport: webSocket(url) })
  const stop = async () => {
    await closeSocket(l1)
    await devnet.stop()
  }
  return { devnet, l1, stop }
}

async function seal({ node }: Devnet, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) await node.seal()
}

/** Games on L1, oldest first. */
async function gamesOf({ devnet, l1 }: Run) {
  const address = devnet.description.contracts.disputeGameFactory
  const factory = { address, abi: disputeGameFactoryAbi } as const
  const count = Number(await l1.readContract({ ...factory, functionName: 'gameCount' }))
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const args = [BigInt(index)] as const
      const [, , address] = await l1.readContract({ ...factory, functionName: 'gameAtIndex', args })
      const game = { address, abi: aggregateVerifierAbi } as const
      const [block, parent, proofs, status] = await Promise.all([
        l1.readContract({ ...game, functionName: 'l2SequenceNumber' }),
        l1.readContract({ ...game, functionName: 'parentAddress' }),
        l1.readContract({ ...game, functionName: 'proofCount' }),
        l1.readContract({ ...game, functionName: 'status' }),
      ])
      return { address, block, parent, proofs, status }
    }),
  )
}

/** Enclave signers whose proofs L1 accepts. */
async function signersOf({ devnet, l1 }: Run) {
  const signers = await l1.readContract({
    address: devnet.description.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
    functionName: 'getRegisteredSigners',
  })
  return signers.map((signer) => signer.toLowerCase())
}
