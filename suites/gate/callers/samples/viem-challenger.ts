/**
 * A challenger by viem that goes on for ever: each second it reads every game, and nullifies each that
 * claims a wrong root. It knows the contracts, a rollup node and a prover host, and nothing of who runs them.
 *
 *     node viem-challenger.ts devnet.json
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  concat,
  createClient,
  createWalletClient,
  getContract,
  type Hex,
  hexToNumber,
  http,
  numberToHex,
  parseAbi,
  publicActions,
  slice,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const GAME_TYPE = 621
const factoryAbi = parseAbi([
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256) view returns (uint32, uint64, address)',
])
const gameAbi = parseAbi([
  'function teeProver() view returns (address)',
  'function startingOutputRoot() view returns (bytes32 root, uint256 block)',
  'function intermediateOutputRootsCount() view returns (uint256)',
  'function intermediateOutputRoot(uint256) view returns (bytes32)',
  'function INTERMEDIATE_BLOCK_INTERVAL() view returns (uint256)',
  'function TEE_IMAGE_HASH() view returns (bytes32)',
  'function l1Head() view returns (bytes32)',
  'function nullify(bytes, uint256, bytes32)',
])

const devnet = JSON.parse(readFileSync(process.argv[2] ?? 'devnet.json', 'utf8'))
// One that nullifies has to be on the registry's list of proposers.
const account = privateKeyToAccount(devnet.accounts[1].privateKey)
const l1 = createWalletClient({ account, transport: http(devnet.l1RpcUrl) }).extend(publicActions)
const say = (line: string) => void process.stderr.write(`${line}\n`)
const factory = getContract({
  address: devnet.contracts.disputeGameFactory,
  abi: factoryAbi,
  client: l1,
})
const rollup = createClient({ transport: http(devnet.rollupRpcUrl) })
// A proof may take half an hour, and a second request is a second proof.
const prover = createClient({
  transport: http(devnet.proverUrl, { timeout: 1_800_000, retryCount: 0 }),
})

interface Output {
  outputRoot: Hex
  blockRef: { hash: Hex }
}
const outputAt = (block: bigint) =>
  rollup.request<{ Method: string; Parameters: Hex[]; ReturnType: Output }>({
    method: 'optimism_outputAtBlock',
    params: [numberToHex(block)],
  })

/** Nobody has to dispute one whose proof is gone: it was nullified. */
const isOpen = async (game: Game) => (await game.read.teeProver()) !== zeroAddress
const gameAt = (address: Address) => getContract({ address, abi: gameAbi, client: l1 })
type Game = ReturnType<typeof gameAt>

/** The contract begins at the root before the one that is disputed: that is why it has to be the first. */
async function findWrongRoot(game: Game) {
  const [, start] = await game.read.startingOutputRoot()
  const interval = await game.read.INTERMEDIATE_BLOCK_INTERVAL()
  const count = await game.read.intermediateOutputRootsCount()
  for (let index = 0n; index < count; index += 1n) {
    const from = start + index * interval
    const to = from + interval
    const claimed = await game.read.intermediateOutputRoot([index])
    const { outputRoot } = await outputAt(to)
    if (claimed !== outputRoot) return { index, from, to, interval, claimed, outputRoot }
  }
  return undefined
}

/** 66 bytes: what kind of proof it is (0: TEE), r, s, and v as Ethereum has it. */
async function prove(game: Game, { from, to, interval, outputRoot }: WrongRoot): Promise<Hex> {
  const agreed = await outputAt(from)
  const l1Head = await game.read.l1Head()
  const { number } = await l1.getBlock({ blockHash: l1Head })
  const request = {
    l1_head: l1Head,
    l1_head_number: Number(number),
    agreed_l2_head_hash: agreed.blockRef.hash,
    agreed_l2_output_root: agreed.outputRoot,
    claimed_l2_output_root: outputRoot,
    claimed_l2_block_number: Number(to),
    proposer: account.address,
    intermediate_block_interval: Number(interval),
    image_hash: await game.read.TEE_IMAGE_HASH(),
  }
  const { Tee } = await prover.request<{
    Method: string
    Parameters: object[]
    ReturnType: { Tee: { aggregate_proposal: { signature: Hex }; proposals: { signature: Hex }[] } }
  }>({ method: 'prover_prove', params: [request] })
  const { signature } = Tee.aggregate_proposal
  const v = 27 + hexToNumber(slice(signature, 64))
  return concat(['0x00', slice(signature, 0, 64), numberToHex(v, { size: 1 })])
}
type WrongRoot = NonNullable<Awaited<ReturnType<typeof findWrongRoot>>>

/** Sent before a crash, say: what comes of it is to be seen first. */
async function isWaiting(): Promise<boolean> {
  const { address } = account
  const sent = await l1.getTransactionCount({ address, blockTag: 'pending' })
  return sent > (await l1.getTransactionCount({ address }))
}

async function lookAt(address: Address): Promise<void> {
  const game = gameAt(address)
  if (!(await isOpen(game)) || (await isWaiting())) return
  const wrong = await findWrongRoot(game)
  if (!wrong) return
  const proof = await prove(game, wrong)
  const { index, outputRoot } = wrong
  // The proof took its time. What L1 would refuse by now is not worth its gas: simulated, it throws.
  if (!(await isOpen(game))) return
  const { request } = await game.simulate.nullify([proof, index, outputRoot], { account })
  const hash = await l1.writeContract({ ...request, chain: null })
  const { status } = await l1.waitForTransactionReceipt({ hash, pollingInterval: 200 })
  say(`${address}: root ${index} nullified, ${status}`)
}

for (;;) {
  const count = await factory.read.gameCount().catch(() => 0n)
  for (let at = 0n; at < count; at += 1n) {
    const [type, , address] = await factory.read.gameAtIndex([at])
    // Whatever is in the way of one game, the next look begins anew.
    if (type === GAME_TYPE)
      await lookAt(address).catch((error: Error) => say(`${address}: ${error.message}`))
  }
  await sleep(1_000)
}
