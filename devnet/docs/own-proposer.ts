/**
 * A proposer that knows nothing of rollbed, to start your own from: viem, and what own-actors.md
 * says. It proposes the first interval after the anchor, once; where that claim is there already, it
 * names its game and ends.
 *
 *     node own-proposer.ts devnet.json
 *
 * Node 22.18 and newer run TypeScript as it is; with an older one `npx node@24` stands in the place of `node`.
 */
import { readFile } from 'node:fs/promises'
import {
  concatHex,
  createPublicClient,
  createWalletClient,
  encodePacked,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const GAME_TYPE = 621
const abi = parseAbi([
  'function gameImpls(uint32) view returns (address)',
  'function initBonds(uint32) view returns (uint256)',
  'function games(uint32, bytes32, bytes) view returns (address, uint64)',
  'function createWithInitData(uint32, bytes32, bytes, bytes) payable returns (address)',
  'function anchorGame() view returns (address)',
  'function getAnchorRoot() view returns (bytes32, uint256)',
  'function BLOCK_INTERVAL() view returns (uint256)',
  'function INTERMEDIATE_BLOCK_INTERVAL() view returns (uint256)',
  'function intervalsForStartingBlock(uint256) view returns (uint256, uint256)',
  'function TEE_IMAGE_HASH() view returns (bytes32)',
  'error GameAlreadyExists(bytes32 uuid)',
])

const devnet = JSON.parse(await readFile(process.argv[2] ?? 'devnet.json', 'utf8'))
const { disputeGameFactory: factory, anchorStateRegistry } = devnet.contracts
const account = privateKeyToAccount(devnet.accounts[0].privateKey)
const l1 = createPublicClient({ transport: http(devnet.l1RpcUrl) })
const wallet = createWalletClient({ account, transport: http(devnet.l1RpcUrl) })

async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await (await fetch(url, { method: 'POST', headers, body })).json()
  const { result, error } = answer as { result: T; error?: { code: number; message: string } }
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result
}
const outputAt = (block: bigint) =>
  rpc<{ outputRoot: Hex; blockRef: { hash: Hex } }>(
    devnet.rollupRpcUrl,
    'optimism_outputAtBlock',
    numberToHex(block),
  )

// Where the next game starts: behind the anchor game, or from the registry itself when there is none.
const anchors = { address: anchorStateRegistry, abi } as const
const anchorGame = await l1.readContract({ ...anchors, functionName: 'anchorGame' })
const [startRoot, start] = await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })
const parent = anchorGame === zeroAddress ? anchorStateRegistry : anchorGame

const args = [GAME_TYPE] as const
const game = await l1.readContract({ address: factory, abi, functionName: 'gameImpls', args })
const bond = await l1.readContract({ address: factory, abi, functionName: 'initBonds', args })
const rule = { address: game, abi } as const
// Of games that know upgrades of L2: with blocks of 200 ms an interval has more of them.
const intervals = await l1
  .readContract({ ...rule, functionName: 'intervalsForStartingBlock', args: [start] })
  .catch(() => undefined)
const [interval, step] = intervals ?? [
  await l1.readContract({ ...rule, functionName: 'BLOCK_INTERVAL' }),
  await l1.readContract({ ...rule, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }),
]
const imageHash = await l1.readContract({ ...rule, functionName: 'TEE_IMAGE_HASH' })

const end = start + interval
const { safe_l2 } = await rpc<{ safe_l2: { number: number } }>(
  devnet.rollupRpcUrl,
  'optimism_syncStatus',
)
if (safe_l2.number < end) throw new Error(`block ${end} is not safe yet: ${safe_l2.number} is`)
const roots: Hex[] = []
for (let block = start + step; block <= end; block += step)
  roots.push((await outputAt(block)).outputRoot)
const claim = roots.at(-1)!

const extraData = encodePacked(['uint256', 'address', 'bytes32[]'], [end, parent, roots])
async function existingGame(): Promise<Hex | undefined> {
  const read = { address: factory, abi, functionName: 'games' } as const
  const [found] = await l1.readContract({ ...read, args: [GAME_TYPE, claim, extraData] })
  return found === zeroAddress ? undefined : found
}
function report(result: object): never {
  process.stdout.write(`${JSON.stringify({ ...result, block: Number(end), claim })}\n`)
  process.exit()
}
const earlier = await existingGame()
if (earlier) report({ status: 'exists', game: earlier })
// A claim of before a crash may still be without a block: sent again, the second one would revert behind it.
const { address } = account
const sent = await l1.getTransactionCount({ address, blockTag: 'pending' })
if (sent > (await l1.getTransactionCount({ address })))
  report({ status: 'an earlier transaction waits for its block' })

const head = await l1.getBlock()
const { Tee } = await rpc<{
  Tee: { aggregate_proposal: { signature: Hex; l2_block_number: number } }
}>(devnet.proverUrl, 'prover_prove', {
  l1_head: head.hash,
  l1_head_number: Number(head.number),
  agreed_l2_head_hash: (await outputAt(start)).blockRef.hash,
  agreed_l2_output_root: startRoot,
  claimed_l2_output_root: claim,
  claimed_l2_block_number: Number(end),
  proposer: account.address,
  intermediate_block_interval: Number(step),
  image_hash: imageHash,
})
const { signature, l2_block_number } = Tee.aggregate_proposal
if (BigInt(l2_block_number) !== end) throw new Error(`proven up to ${l2_block_number}, not ${end}`)

const raisedV = numberToHex(Number(slice(signature, 64)) + 27)
const l1Number = numberToHex(head.number, { size: 32 })
const initData = concatHex(['0x00', head.hash, l1Number, slice(signature, 0, 64), raisedV])

// The origin has to lie before the block that creates the game.
await new Promise<void>((resolve) => {
  const stop = l1.watchBlockNumber({
    pollingInterval: 200,
    onBlockNumber: (number) => {
      if (number <= head.number) return
      stop()
      resolve()
    },
  })
})
const create = {
  chain: null,
  address: factory,
  abi,
  functionName: 'createWithInitData',
  args: [GAME_TYPE, claim, extraData, initData],
  value: bond,
} as const
const hash = await wallet.writeContract(create).catch(async (error: unknown) => {
  // Somebody was faster: GameAlreadyExists.
  const game = await existingGame()
  if (game) report({ status: 'exists', game })
  throw error
})
const { status } = await l1.waitForTransactionReceipt({ hash })
report({ status, hash })
