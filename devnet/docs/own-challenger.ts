/**
 * A challenger that knows nothing of rollbed, to start your own from: viem, and what own-actors.md
 * says. It looks once at every game in progress and nullifies the first with a wrong root; where there
 * is none, or somebody was faster, it says so and ends. A game that cannot be judged yet, or whose proof is
 * refused, keeps it from those behind: a service of yours notes it, and goes on to the next.
 *
 *     node own-challenger.ts devnet.json
 *
 * Node 22.18 and newer run TypeScript as it is; with an older one `npx node@24` stands in the place of `node`.
 */
import { readFile } from 'node:fs/promises'
import {
  concatHex,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const GAME_TYPE = 621
const IN_PROGRESS = 0
const abi = parseAbi([
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256) view returns (uint32, uint64, address)',
  'function status() view returns (uint8)',
  'function teeProver() view returns (address)',
  'function counteredByIntermediateRootIndexPlusOne() view returns (uint256)',
  'function startingOutputRoot() view returns (bytes32 root, uint256 block)',
  'function intermediateOutputRootsCount() view returns (uint256)',
  'function intermediateOutputRoot(uint256) view returns (bytes32)',
  'function l2SequenceNumber() view returns (uint256)',
  'function TEE_IMAGE_HASH() view returns (bytes32)',
  'function l1Head() view returns (bytes32)',
  'function nullify(bytes, uint256, bytes32)',
])

const devnet = JSON.parse(await readFile(process.argv[2] ?? 'devnet.json', 'utf8'))
const factory = { address: devnet.contracts.disputeGameFactory as Hex, abi } as const
// A TEE challenger is a proposer to the verifier: its address has to be on the registry's list.
const account = privateKeyToAccount(devnet.accounts[1].privateKey)
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

/** The output root is keccak256(version 0 ‖ state root ‖ storage root of the message passer ‖ hash). */
async function outputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {
  // Since Isthmus the header's withdrawalsRoot is the storage root of 0x4200…0016.
  const { stateRoot, withdrawalsRoot, hash } = await rpc<Record<string, Hex>>(
    devnet.rpcUrl,
    'eth_getBlockByNumber',
    numberToHex(block),
    false,
  )
  return {
    hash: hash!,
    root: keccak256(concatHex([zeroHash, stateRoot!, withdrawalsRoot!, hash!])),
  }
}

/** The first wrong root of a game: the contract starts from the root before it, which has to be right. */
async function firstWrongRoot(address: Hex) {
  const game = { address, abi } as const
  const [status, prover, countered] = await Promise.all([
    l1.readContract({ ...game, functionName: 'status' }),
    l1.readContract({ ...game, functionName: 'teeProver' }),
    l1.readContract({ ...game, functionName: 'counteredByIntermediateRootIndexPlusOne' }),
  ])
  // A nullified game stays in progress; its prover is gone.
  if (status !== IN_PROGRESS || prover === zeroAddress || countered > 0n) return undefined
  const [startRoot, start] = await l1.readContract({ ...game, functionName: 'startingOutputRoot' })
  const count = await l1.readContract({ ...game, functionName: 'intermediateOutputRootsCount' })
  const last = await l1.readContract({ ...game, functionName: 'l2SequenceNumber' })
  const interval = (last - start) / count
  let agreed = await outputAt(start)
  // The parent is at fault, and no proof can start here.
  if (agreed.root !== startRoot) return undefined
  for (let index = 0n; index < count; index += 1n) {
    const end = start + (index + 1n) * interval
    const truth = await outputAt(end)
    const args = [index] as const
    const claimed = await l1.readContract({ ...game, functionName: 'intermediateOutputRoot', args })
    if (claimed !== truth.root) return { address, index, end, interval, agreed, truth }
    agreed = truth
  }
  return undefined
}

/** One interval, from the L1 block that the game was created on, for the account that will send. */
async function prove({ address, end, interval, agreed, truth }: WrongRoot): Promise<Hex> {
  const game = { address, abi } as const
  const l1Head = await l1.readContract({ ...game, functionName: 'l1Head' })
  const { number } = await l1.getBlock({ blockHash: l1Head })
  const { Tee } = await rpc<{
    Tee: { aggregate_proposal: { signature: Hex; output_root: Hex; l2_block_number: number } }
  }>(devnet.proverUrl, 'prover_prove', {
    l1_head: l1Head,
    l1_head_number: Number(number),
    agreed_l2_head_hash: agreed.hash,
    agreed_l2_output_root: agreed.root,
    claimed_l2_output_root: truth.root,
    claimed_l2_block_number: Number(end),
    proposer: account.address,
    intermediate_block_interval: Number(interval),
    image_hash: await l1.readContract({ ...game, functionName: 'TEE_IMAGE_HASH' }),
  })
  const { signature, output_root, l2_block_number } = Tee.aggregate_proposal
  if (output_root !== truth.root || BigInt(l2_block_number) !== end)
    throw new Error(`proven up to ${l2_block_number}, not ${end}`)
  // Proof type 0 (TEE) ‖ r ‖ s ‖ v, 66 bytes; L1 wants v as 27 or 28.
  const raisedV = numberToHex(Number(slice(signature, 64)) + 27)
  return concatHex(['0x00', slice(signature, 0, 64), raisedV])
}

type WrongRoot = NonNullable<Awaited<ReturnType<typeof firstWrongRoot>>>

async function findWrongRoot(): Promise<WrongRoot | undefined> {
  const count = await l1.readContract({ ...factory, functionName: 'gameCount' })
  for (let at = 0n; at < count; at += 1n) {
    const [type, , address] = await l1.readContract({
      ...factory,
      functionName: 'gameAtIndex',
      args: [at],
    })
    const wrong = type === GAME_TYPE ? await firstWrongRoot(address) : undefined
    if (wrong) return wrong
  }
  return undefined
}

/** A call of before a crash may still be without a block: sent again, the second one would revert behind it. */
async function isWaiting(): Promise<boolean> {
  const { address } = account
  const sent = await l1.getTransactionCount({ address, blockTag: 'pending' })
  return sent > (await l1.getTransactionCount({ address }))
}

async function challenge(): Promise<object> {
  const wrong = await findWrongRoot()
  if (!wrong) return { status: 'nothing to nullify' }
  if (await isWaiting()) return { status: 'an earlier transaction waits for its block' }
  const proof = await prove(wrong)
  const { address, index, truth } = wrong
  // Again: a proof takes its time, and others watch too.
  if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }
  const hash = await wallet.writeContract({
    chain: null,
    address,
    abi,
    functionName: 'nullify',
    args: [proof, index, truth.root],
  })
  const { status } = await l1.waitForTransactionReceipt({ hash })
  return { status, hash, game: address, index: Number(index), root: truth.root }
}

process.stdout.write(`${JSON.stringify(await challenge())}\n`)
