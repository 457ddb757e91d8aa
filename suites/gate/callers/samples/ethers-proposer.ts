/**
 * A proposer by ethers that goes on for ever: whenever the next interval is safe it has it proven, and brings
 * it to L1 as a game. It knows the contracts, a rollup node and a prover host, and nothing of who runs them.
 *
 *     node ethers-proposer.ts devnet.json
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Contract,
  concat,
  dataLength,
  FetchRequest,
  JsonRpcProvider,
  Signature,
  solidityPacked,
  toBeHex,
  toQuantity,
  Wallet,
  ZeroAddress,
} from 'ethers'

const GAME_TYPE = 621
const devnet = JSON.parse(readFileSync(process.argv[2] ?? 'devnet.json', 'utf8'))
const l1 = new JsonRpcProvider(devnet.l1RpcUrl, undefined, {
  cacheTimeout: -1,
  pollingInterval: 200,
})
const say = (line: string) => void process.stderr.write(`${line}\n`)
const wallet = new Wallet(devnet.accounts[0].privateKey, l1)

interface Output {
  outputRoot: string
  blockRef: { hash: string }
}

/** One question, one answer; ethers would ask for the chain first, which a host does not know. */
async function ask<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const request = new FetchRequest(url)
  request.timeout = 1_800_000
  request.setHeader('content-type', 'application/json')
  request.body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  // Whoever is busy now may be asked again a second later: by the loop below.
  request.retryFunc = async () => false
  const response = await request.send()
  response.assertOk()
  const { result, error } = response.bodyJson
  if (error) throw new Error(`${method}: ${error.message}`)
  return result as T
}
const outputAt = (block: bigint) =>
  ask<Output>(devnet.rollupRpcUrl, 'optimism_outputAtBlock', toQuantity(block))

const factory = new Contract(
  devnet.contracts.disputeGameFactory,
  [
    'function gameImpls(uint32) view returns (address)',
    'function initBonds(uint32) view returns (uint256)',
    'function games(uint32, bytes32, bytes) view returns (address, uint64)',
    'function createWithInitData(uint32, bytes32, bytes, bytes) payable returns (address)',
  ],
  wallet,
)
const registry = new Contract(
  devnet.contracts.anchorStateRegistry,
  [
    'function anchorGame() view returns (address)',
    'function getAnchorRoot() view returns (bytes32, uint256)',
  ],
  l1,
)

/** The interval behind the last game of ours, or behind the anchor; undefined while it is not safe. */
async function nextClaim() {
  const implementation = new Contract(
    await factory.gameImpls!(GAME_TYPE),
    [
      'function BLOCK_INTERVAL() view returns (uint256)',
      'function INTERMEDIATE_BLOCK_INTERVAL() view returns (uint256)',
      'function TEE_IMAGE_HASH() view returns (bytes32)',
    ],
    l1,
  )
  const blocks: bigint = await implementation.BLOCK_INTERVAL!()
  const interval: bigint = await implementation.INTERMEDIATE_BLOCK_INTERVAL!()
  const imageHash: string = await implementation.TEE_IMAGE_HASH!()
  const { safe_l2 } = await ask<{ safe_l2: { number: number } }>(
    devnet.rollupRpcUrl,
    'optimism_syncStatus',
  )
  const anchorGame: string = await registry.anchorGame!()
  let parent: string =
    anchorGame === ZeroAddress ? devnet.contracts.anchorStateRegistry : anchorGame
  let [, start]: [string, bigint] = await registry.getAnchorRoot!()
  for (;;) {
    const end = start + blocks
    if (BigInt(safe_l2.number) < end) return undefined
    const roots: string[] = []
    for (let block = start + interval; block <= end; block += interval)
      roots.push((await outputAt(block)).outputRoot)
    const root = roots.at(-1)!
    const extraData = solidityPacked(['uint256', 'address', 'bytes32[]'], [end, parent, roots])
    const [game]: [string] = await factory.games!(GAME_TYPE, root, extraData)
    if (game === ZeroAddress) return { start, end, root, interval, imageHash, extraData }
    // Somebody has claimed it: go on behind that game.
    parent = game
    start = end
  }
}
type Claim = NonNullable<Awaited<ReturnType<typeof nextClaim>>>

/** 130 bytes: what kind of proof it is (0: TEE), the L1 origin and its number, r, s, and v as Ethereum has it. */
async function prove({ start, end, root, interval, imageHash }: Claim): Promise<string> {
  const origin = (await l1.getBlock('latest'))!
  const agreed = await outputAt(start)
  const { Tee } = await ask<{
    Tee: { aggregate_proposal: { signature: string }; proposals: { signature: string }[] }
  }>(devnet.proverUrl, 'prover_prove', {
    l1_head: origin.hash,
    l1_head_number: origin.number,
    agreed_l2_head_hash: agreed.blockRef.hash,
    agreed_l2_output_root: agreed.outputRoot,
    claimed_l2_output_root: root,
    claimed_l2_block_number: Number(end),
    proposer: wallet.address,
    intermediate_block_interval: Number(interval),
    image_hash: imageHash,
  })
  const { signature } = Tee.aggregate_proposal
  // Signature.from() raises a v of 0 or 1.
  const { serialized } = Signature.from(signature)
  const initData = concat(['0x00', origin.hash!, toBeHex(origin.number, 32), serialized])
  if (dataLength(initData) !== 130) throw new Error(`initData of ${dataLength(initData)} bytes`)
  // The origin has to lie before the block that the game is created in.
  while ((await l1.getBlockNumber()) <= origin.number) await sleep(200)
  return initData
}

/** A claim of before a crash may still be without a block: sent again, the second one would revert behind it. */
async function isWaiting(): Promise<boolean> {
  const sent = await l1.getTransactionCount(wallet.address, 'pending')
  return sent > (await l1.getTransactionCount(wallet.address))
}

async function propose(claim: Claim): Promise<void> {
  const initData = await prove(claim)
  const { root, extraData } = claim
  // Somebody may have been faster while the proof was made.
  const [game] = await factory.games!(GAME_TYPE, root, extraData)
  if (game !== ZeroAddress) return
  const value = await factory.initBonds!(GAME_TYPE)
  // Its gas is estimated: what L1 would refuse throws, and is not sent.
  const sent = await factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value })
  const receipt = await sent.wait()
  say(`block ${claim.end}: proposed, status ${receipt.status}`)
}

for (;;) {
  try {
    const claim = await nextClaim()
    if (claim && !(await isWaiting())) await propose(claim)
  } catch (error) {
    // Whatever was in the way, the next round begins anew.
    say((error as Error).message)
  }
  await sleep(1_000)
}
