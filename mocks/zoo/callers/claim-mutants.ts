import { instead, keptIn } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const proposer = mutantsOf('proposer', 'proposer')

const PROPOSER = 'own-proposer.ts'

/** Proposers that claim, or prove, something else than they should. */
export const CLAIM_MUTANTS: readonly Mutant[] = [
  proposer(
    'PIPE-24',
    'roots-backwards',
    'Lists the roots from the last to the first',
    instead(PROPOSER, '[end, parent, roots]', '[end, parent, roots.toReversed()]'),
  ),
  proposer(
    'PIPE-24',
    'roots-a-block-early',
    'Takes each root on the way from the block before that of the interval',
    instead(
      PROPOSER,
      'roots.push((await outputAt(block)).outputRoot)',
      'roots.push((await outputAt(block < end ? block - 1n : block)).outputRoot)',
    ),
  ),
  proposer(
    'PIPE-25',
    'root-before-for-none',
    'Repeats the root before where the rollup node does not tell one',
    instead(
      PROPOSER,
      'roots.push((await outputAt(block)).outputRoot)',
      'roots.push((await outputAt(block).catch(() => undefined))?.outputRoot ?? roots.at(-1) ?? startRoot)',
    ),
  ),
  proposer(
    'PIPE-25',
    'hash-of-the-first-block',
    'Names the hash of the first block of its range beside the root of the one before',
    instead(
      PROPOSER,
      'agreed_l2_head_hash: (await outputAt(start))',
      'agreed_l2_head_hash: (await outputAt(start + 1n))',
    ),
  ),
  proposer(
    'PIPE-25',
    'number-before',
    'Names the number of the L1 block before the one it names the hash of',
    instead(
      PROPOSER,
      'l1_head_number: Number(head.number)',
      'l1_head_number: Number(head.number) - 1',
    ),
  ),
  proposer(
    'PIPE-25',
    'ends-a-block-late',
    'Counts one block more than it claims the root of',
    instead(PROPOSER, '[end, parent, roots]', '[end + 1n, parent, roots]'),
  ),
  proposer(
    'PIPE-25',
    'bond-twice',
    'Sends twice the bond',
    instead(PROPOSER, '  value: bond,', '  value: 2n * bond,'),
  ),
  proposer(
    'PIPE-25',
    'newest-origin',
    'Names the newest L1 block to L1, and another to the host',
    instead(
      PROPOSER,
      "const initData = concatHex(['0x00', head.hash, l1Number,",
      "const newest = await l1.getBlock()\nconst initData = concatHex(['0x00', newest.hash, numberToHex(newest.number, { size: 32 }),",
    ),
  ),
  proposer(
    'PIPE-25',
    'same-root-is-this',
    'Takes a game with its root for the one of its claim, whatever its roots on the way are',
    instead(
      PROPOSER,
      'const earlier = await existingGame()',
      `const list = { address: factory, abi: parseAbi(['function gameCount() view returns (uint256)', 'function gameAtIndex(uint256) view returns (uint32, uint64, address)', 'function rootClaim() view returns (bytes32)']) } as const
const earlier = await (async () => {
  const count = await l1.readContract({ ...list, functionName: 'gameCount' })
  for (let at = 0n; at < count; at += 1n) {
    const [, , address] = await l1.readContract({ ...list, functionName: 'gameAtIndex', args: [at] })
    if ((await l1.readContract({ ...list, address, functionName: 'rootClaim' })) === claim) return address
  }
})()`,
    ),
  ),
  proposer(
    'PIPE-25',
    'not-safe-yet',
    'Asks for a proof of blocks that are not safe yet',
    instead(PROPOSER, 'if (safe_l2.number < end) throw', 'if (safe_l2.number < start) throw'),
  ),
  proposer(
    'PRV-REQ-07',
    'newest-safe-block',
    'Asks for a proof up to the newest safe block',
    instead(
      PROPOSER,
      'claimed_l2_block_number: Number(end)',
      'claimed_l2_block_number: safe_l2.number',
    ),
  ),
  proposer(
    'PRV-REQ-12',
    'roots-as-they-come',
    'Asks for all roots at once, and takes the last to come for its claim',
    instead(
      PROPOSER,
      'for (let block = start + step; block <= end; block += step)\n  roots.push((await outputAt(block)).outputRoot)',
      'await Promise.all(Array.from({ length: Number((end - start) / step) }, async (_, index) => roots.push((await outputAt(start + BigInt(index + 1) * step)).outputRoot)))',
    ),
  ),
  proposer(
    'PRV-REQ-07',
    'length-for-the-end',
    'Gives the length of the range for its last block: right from genesis alone',
    instead(
      PROPOSER,
      'claimed_l2_block_number: Number(end)',
      'claimed_l2_block_number: Number(interval)',
    ),
  ),
  proposer(
    'PRV-REQ-05',
    'first-parent-kept',
    'Keeps the hash of the block before its first range on disk, for all later ones',
    instead(
      PROPOSER,
      'agreed_l2_head_hash: (await outputAt(start)).blockRef.hash,',
      `agreed_l2_head_hash: ${keptIn("'parent'", '(await outputAt(start)).blockRef.hash')},`,
    ),
  ),
  proposer(
    'PRV-REQ-09',
    'first-interval-kept',
    'Keeps the interval of its first claim on disk, for all later ones',
    instead(
      PROPOSER,
      "  await l1.readContract({ ...rule, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }),",
      `  BigInt(${keptIn("'interval'", "String(await l1.readContract({ ...rule, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' }))")}),`,
    ),
  ),
  proposer(
    'PRV-REQ-03',
    'first-l1-head-kept',
    'Keeps the L1 head of its first proof on disk, for all later ones',
    instead(
      PROPOSER,
      'const head = await l1.getBlock()',
      `const head = await l1.getBlock({ blockHash: ${keptIn("'head'", '(await l1.getBlock()).hash')} })`,
    ),
  ),
  proposer(
    'SIG-11',
    'other-account-behind-a-game',
    'Brings what follows an anchor game by another account than it was proven for',
    instead(
      PROPOSER,
      'wallet.writeContract(create)',
      'wallet.writeContract(anchorGame === zeroAddress ? create : { ...create, account: privateKeyToAccount(devnet.accounts[1].privateKey) })',
    ),
  ),
  proposer(
    'PIPE-25',
    'child-of-the-anchor',
    'Goes on behind its own games before they are anchors, and names the anchor as their parent',
    instead(
      PROPOSER,
      "const [startRoot, start] = await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })",
      `const [anchorRoot, anchorBlock] = await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })
const counting = parseAbi(['function gameCount() view returns (uint256)'])
const games = await l1.readContract({ address: factory, abi: counting, functionName: 'gameCount' })
const start = anchorBlock + games * 10n
const startRoot = games > 0n ? (await outputAt(start)).outputRoot : anchorRoot`,
    ),
  ),
  proposer(
    'PRV-REQ-04',
    'number-kept',
    'Asks again by a newer L1 head, and by the number of the first',
    instead(
      PROPOSER,
      'l1_head_number: Number(head.number)',
      `l1_head_number: Number(${keptIn("'l1-number'", 'String(head.number)')})`,
    ),
  ),
]
