import type { CallerBug, Sample } from './caller-bug.ts'

type Bug = Omit<CallerBug, 'sample' | 'fails'> & { fails?: string }

const DISPUTE = 'caller.challenger.dispute.01'
const PROPOSAL = 'caller.proposer.proposal.01'

const V_NOT_RAISED = (where: string) => `v of the signature in ${where}, where the host gave 1`
const OTHER_SIGNATURE = (where: string) =>
  `the signature in ${where}, against aggregate_proposal.signature`

const GONE = 'games that nullify was sent to though L1 has them no more'

const of = (sample: Sample, fails: string, bugs: readonly Bug[]): CallerBug[] =>
  bugs.map((bug) => ({ fails, ...bug, name: `${sample}: ${bug.name}`, sample }))

/** As people make them: thirty and more, each found by the place that its failure names. */
export const CALLER_BUGS: readonly CallerBug[] = [
  ...of('viem-challenger.ts', DISPUTE, [
    {
      name: 'v-as-given',
      says: 'Sends v as the enclave gave it',
      from: '27 + hexToNumber(',
      to: 'hexToNumber(',
      at: V_NOT_RAISED('proofBytes'),
    },
    {
      name: 'claimed-root',
      says: 'Sends the root that the game claims, not the true one',
      from: 'nullify([proof, index, outputRoot]',
      to: 'nullify([proof, index, wrong.claimed]',
      at: 'root, the output root of block 5',
    },
    {
      name: 'index-from-one',
      says: 'Counts the roots from one',
      from: 'nullify([proof, index, outputRoot]',
      to: 'nullify([proof, index + 1n, outputRoot]',
      at: 'index, of the first wrong root',
    },
    {
      name: 'other-sender',
      says: 'Has it proven for another account than the one that sends',
      from: 'proposer: account.address',
      to: 'proposer: devnet.accounts[0].address',
      at: 'proposer of the request, against the sender',
    },
    {
      name: 'newest-head',
      says: 'Has it proven from the newest L1 block',
      from: 'const l1Head = await game.read.l1Head()',
      to: 'const l1Head = (await l1.getBlock()).hash',
      at: 'l1_head of the request, against l1Head() of the game',
    },
    {
      name: 'newest-number',
      says: 'Names the number of the newest L1 block beside the hash of another',
      from: 'const { number } = await l1.getBlock({ blockHash: l1Head })',
      to: 'const number = await l1.getBlockNumber()',
      at: 'l1_head_number of the request',
    },
    {
      name: 'agreed-is-claimed',
      says: 'Begins at the end of the interval',
      from: 'const agreed = await outputAt(from)',
      to: 'const agreed = await outputAt(to)',
      at: 'agreed_l2_output_root of the request',
    },
    {
      name: 'block-signature',
      says: 'Takes the signature of the last block',
      from: '} = Tee.aggregate_proposal',
      to: '} = Tee.proposals.at(-1)!',
      at: OTHER_SIGNATURE('proofBytes'),
    },
    {
      name: 'type-of-a-zk-proof',
      says: 'Says that it is a ZK proof',
      from: "concat(['0x00'",
      to: "concat(['0x01'",
      at: 'proof type, the first byte of proofBytes',
    },
    {
      name: 'stride-of-one',
      says: 'Asks for a root of each block',
      from: 'intermediate_block_interval: Number(interval)',
      to: 'intermediate_block_interval: 1',
      at: 'intermediate_block_interval of the request',
    },
    {
      name: 'last-wrong-root',
      says: 'Goes through the roots from the last to the first',
      from: 'for (let index = 0n; index < count; index += 1n) {',
      to: 'for (let index = count - 1n; index >= 0n; index -= 1n) {',
      fails: 'caller.challenger.dispute.04',
      at: 'index, of the first wrong root',
    },
    {
      name: 'first-game-only',
      says: 'Looks no further than at the first game',
      from: 'at < count',
      to: 'at < count && at < 1n',
      fails: 'caller.challenger.dispute.06',
      at: 'the challenger',
    },
    {
      name: 'each-index-once',
      says: 'Looks at each index once and for all where nothing is to dispute',
      from: 'for (;;) {\n  const count = await factory.read.gameCount().catch(() => 0n)\n  for (let at = 0n; at < count; at += 1n) {',
      to: 'let next = 0n\nfor (;;) {\n  const count = await factory.read.gameCount().catch(() => 0n)\n  if (count < next) next = count\n  for (let at = next; at < count; at += 1n, next = at) {',
      fails: 'caller.challenger.l1-reorg.01',
      at: 'the challenger',
    },
    {
      name: 'simulation-alone',
      says: 'Looks at a game again by trying the call, which passes where there is no game any more',
      from: 'if (!(await isOpen(game))) return\n  const { request }',
      to: 'const { request }',
      fails: 'caller.challenger.l1-reorg.02',
      at: GONE,
    },
    {
      name: 'stops-at-a-refusal',
      says: 'Looks at no further game once L1 refuses a call for one',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
      from: 'say(`${address}: ${error.message}`))',
      to: '{ say(error.message); at = count })',
      fails: 'caller.challenger.dispute.07',
      at: 'the game that nullify() is called on',
    },
    {
      name: 'does-not-wait',
      says: 'Does not wait for its call, and begins anew a second later with the same game',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
      from: 'const { status } = await l1.waitForTransactionReceipt({ hash, pollingInterval: 200 })\n  say(`${address}: root ${index} nullified, ${status}`)',
      to: 'say(hash)',
      fails: 'caller.challenger.slow-block.01',
      at: 'transactions of nullify',
    },
    {
      name: 'keeps-its-proof',
      says: 'Keeps the first proof of a game, though L1 has refused it for its signer',
      from: 'const proof = await prove(game, wrong)',
      to: 'const kept: Map<Address, Hex> = (Object(globalThis).kept ??= new Map())\n  const proof = kept.get(address) ?? (await prove(game, wrong))\n  kept.set(address, proof)',
      fails: 'caller.challenger.lost-signer.01',
      at: 'the challenger',
    },
    {
      name: 'ether-with-it',
      says: 'Sends a bond with a call that takes none',
      from: 'outputRoot], { account })',
      to: 'outputRoot], { account, value: 1n } as never)',
      at: 'value of the transaction',
    },
  ]),
  ...of('ethers-proposer.ts', PROPOSAL, [
    {
      name: 'v-as-given',
      says: 'Sends v as the enclave gave it',
      from: 'const { serialized } = Signature.from(signature)',
      to: 'const serialized = signature',
      at: V_NOT_RAISED('initData'),
    },
    {
      name: 'v-always-27',
      says: 'Sends 27 whatever v the enclave gave',
      from: 'const { serialized } = Signature.from(signature)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
      to: 'const serialized = `${signature.slice(0, -2)}1b`',
      at: V_NOT_RAISED('initData'),
    },
    {
      name: 'no-bond',
      says: 'Sends no bond',
      from: '{ value })',
      to: '{ value: 0n })',
      at: 'value of the transaction, against initBonds()',
    },
    {
      name: 'bond-kept',
      says: 'Goes on with the bond that L1 asked for at first (worldcoin/world-chain#925)',
      from: 'const initData = await prove(claim)\n  const { root, extraData } = claim\n  // Somebody may have been faster while the proof was made.\n  const [game] = await factory.games!(GAME_TYPE, root, extraData)\n  if (game !== ZeroAddress) return\n  const value = await factory.initBonds!(GAME_TYPE)',
      to: 'const value: bigint = (Object(globalThis).bond ??= await factory.initBonds!(GAME_TYPE))\n  const initData = await prove(claim)\n  const { root, extraData } = claim\n  const [game] = await factory.games!(GAME_TYPE, root, extraData)\n  if (game !== ZeroAddress) return',
      fails: 'caller.proposer.bond.01',
      at: 'the proposer',
    },
    {
      name: 'no-parent',
      says: 'Names no parent while there is no anchor game',
      from: 'anchorGame === ZeroAddress ? devnet.contracts.anchorStateRegistry : anchorGame',
      to: 'anchorGame',
      at: 'parent in extraData',
    },
    {
      name: 'first-root',
      says: 'Claims the first root instead of the last',
      from: 'roots.at(-1)!',
      to: 'roots.at(0)!',
      at: 'claimed_l2_output_root of the request',
    },
    {
      name: 'one-root',
      says: 'Leaves out the roots on the way',
      from: '[end, parent, roots])',
      to: '[end, parent, [root]])',
      at: 'number of roots in extraData',
    },
    {
      name: 'other-game-type',
      says: 'Creates a game of another type',
      from: 'createWithInitData!(GAME_TYPE,',
      to: 'createWithInitData!(0,',
      at: 'game type',
    },
    {
      name: 'parent-as-origin',
      says: 'Names the block before the L1 origin',
      from: "concat(['0x00', origin.hash!",
      to: "concat(['0x00', origin.parentHash",
      at: 'L1 origin in initData, against l1_head of the request',
    },
    {
      name: 'next-number',
      says: 'Names the number after that of the L1 origin',
      from: 'toBeHex(origin.number, 32)',
      to: 'toBeHex(origin.number + 1, 32)',
      at: 'L1 number in initData',
    },
    {
      name: 'first-block-agreed',
      says: 'Begins one block late',
      from: 'outputAt(start)',
      to: 'outputAt(start + 1n)',
      at: 'agreed_l2_output_root of the request',
    },
    {
      name: 'sends-blindly',
      says: 'Sends a proof without asking whether the game is there by now',
      from: 'if (game !== ZeroAddress) return\n  const value = await factory.initBonds!(GAME_TYPE)\n  // Its gas is estimated: what L1 would refuse throws, and is not sent.\n  const sent = await factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value })',
      to: 'const value = await factory.initBonds!(GAME_TYPE)\n  const sent = await factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value, gasLimit: 3_000_000n })',
      fails: 'caller.proposer.exists.01',
      at: 'claims sent though their game exists',
    },
    {
      name: 'sends-again',
      says: 'Sends another transaction when the answer to the first is lost',
      from: 'createWithInitData!(GAME_TYPE, root, extraData, initData, { value })',
      to: 'createWithInitData!(GAME_TYPE, root, extraData, initData, { value, gasLimit: 3_000_000n }).catch(() => factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value, gasLimit: 3_000_000n }))',
      fails: 'caller.proposer.lost-answer.01',
      at: 'transactions of createWithInitData',
    },
    {
      name: 'all-but-the-origin',
      says: 'Looks again at game, image, verifier and age, not at the origin, and has no gas estimated',
      from: '  // Its gas is estimated: what L1 would refuse throws, and is not sent.\n  const sent = await factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value })',
      to: `  const rule = new Contract(await factory.gameImpls!(GAME_TYPE), ['function TEE_IMAGE_HASH() view returns (bytes32)', 'function TEE_VERIFIER() view returns (address)'], l1)
  if ((await rule.TEE_IMAGE_HASH!()) !== claim.imageHash) return
  const verifier = new Contract(await rule.TEE_VERIFIER!(), ['function nullified() view returns (bool)'], l1)
  if (await verifier.nullified!()) return
  if ((await l1.getBlockNumber()) > Number(\`0x\${initData.slice(68, 132)}\`) + 200) return
  const sent = await factory.createWithInitData!(GAME_TYPE, root, extraData, initData, { value, gasLimit: 3_000_000n })`,
      fails: 'caller.proposer.l1-reorg.02',
      at: 'L1 origins in initData of what it sent',
    },
  ]),
  ...of('cast-challenger.sh', DISPUTE, [
    {
      name: 'v-as-given',
      says: 'Sends v as the enclave gave it',
      from: '$((27 + 0x',
      to: '$((0x',
      at: V_NOT_RAISED('proofBytes'),
    },
    {
      name: 'v-in-decimal',
      says: 'Writes 28 into bytes that are hexadecimal',
      from: "printf '%02x'",
      to: "printf '%02d'",
      at: V_NOT_RAISED('proofBytes'),
    },
    {
      name: 's-cut-short',
      says: 'Cuts off the last byte of s',
      from: 'cut -c3-130',
      to: 'cut -c3-128',
      at: 'bytes of proofBytes',
    },
    {
      name: 'block-as-index',
      says: 'Sends the number of the block as the index',
      from: '"0x00$rs$v" "$2"',
      to: '"0x00$rs$v" "$4"',
      at: 'index, of the first wrong root',
    },
    {
      name: 'root-before',
      says: 'Has the root before the interval proven',
      from: 'root=$(output_at "$4"',
      to: 'root=$(output_at "$3"',
      at: 'claimed_l2_output_root of the request',
    },
    {
      name: 'first-block-signature',
      says: 'Takes the signature of the first block',
      from: `'"aggregate_proposal": *{[^}]*}'`,
      to: `'"proposals": *\\[ *{[^}]*}'`,
      at: OTHER_SIGNATURE('proofBytes'),
    },
    {
      name: 'number-as-text',
      says: 'Asks with a number in quotes',
      from: '\\"claimed_l2_block_number\\": $4',
      to: '\\"claimed_l2_block_number\\": \\"$4\\"',
      at: 'what the host answered to prover_prove',
    },
    {
      name: 'other-sender',
      says: 'Has it proven for the first account, and sends from the second',
      from: 'ME=$(cast wallet address "$KEY")',
      to: 'ME=$(member address <"$devnet")',
      at: 'proposer of the request, against the sender',
    },
    {
      name: 'newest-head',
      says: 'Has it proven from the newest L1 block',
      from: `head=$(read_l1 "$1" 'l1Head()(bytes32)')`,
      to: 'head=$(cast block --rpc-url "$L1" latest --field hash)',
      at: 'l1_head of the request, against l1Head() of the game',
    },
    {
      name: 'hash-of-the-end',
      says: 'Names the hash of the block at the end of the interval',
      from: '$(echo "$agreed" | member hash)',
      to: '$(output_at "$4" | member hash)',
      at: 'agreed_l2_head_hash of the request',
    },
    {
      name: 'gas-by-hand',
      says: 'Sends with less gas than it takes',
      from: 'cast send --rpc-url',
      to: 'cast send --gas-limit 60000 --rpc-url',
      at: 'gas of nullify',
    },
    {
      name: 'sends-blindly',
      says: 'Does not look at the game again, and has no gas estimated',
      from: `case "$(read_l1 "$1" 'teeProver()(address)')" in "$NOBODY" | '') return ;; esac\n  cast send`,
      to: 'cast send --gas-limit 2000000',
      fails: 'caller.challenger.settled.01',
      at: 'calls of nullify for a nullified game',
    },
    {
      name: 'no-code-is-a-proof',
      says: 'Takes a game that is not there any more for one with a proof',
      from: `"$NOBODY" | '') return`,
      to: '"$NOBODY") return',
      fails: 'caller.challenger.l1-reorg.02',
      at: GONE,
    },
    {
      name: 'resolved-is-open',
      says: 'Does not ask whether a game is resolved, and ends at the first that L1 refuses a call for',
      from: '|| continue',
      to: '|| :',
      fails: 'caller.challenger.dispute.07',
      at: 'the game that nullify() is called on',
    },
  ]),
]
