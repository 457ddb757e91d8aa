import { instead, NEVER } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { askingMutants } from './asking-mutants.ts'
import { signatureMutants } from './signature-mutants.ts'

const proposer = mutantsOf('proposer', 'proposer')

const PROPOSER = 'own-proposer.ts'

/** Proposers with one mistake, made in the source of our own. */
export const PROPOSER_MUTANTS: readonly Mutant[] = [
  proposer(
    'SIG-06',
    'v-not-raised',
    'Sends v as the enclave gave it',
    instead(PROPOSER, '+ 27)', ')'),
  ),
  proposer(
    'SIG-06',
    'v-always-27',
    'Sends 27 whatever v the enclave gave',
    instead(PROPOSER, 'numberToHex(Number(slice(signature, 64)) + 27)', 'numberToHex(27)'),
  ),
  proposer(
    'PIPE-25',
    'other-proposer',
    'Asks for a proof for another account than the one that sends',
    instead(PROPOSER, 'proposer: account.address', 'proposer: devnet.accounts[3].address'),
  ),
  proposer(
    'PIPE-23',
    'sends-blindly',
    'Sends a proof without looking whether the game is there by now',
    instead(PROPOSER, '  value: bond,', '  value: bond, gas: 3_000_000n,'),
  ),
  proposer(
    'PIPE-23',
    'sends-again',
    'Sends again after GameAlreadyExists',
    instead(
      PROPOSER,
      'const game = await existingGame()\n  if (game) report({',
      'const game = await existingGame()\n  if (game) await wallet.writeContract({ ...create, gas: 3_000_000n })\n  if (game) report({',
    ),
  ),
  proposer(
    'PIPE-24',
    'last-root-only',
    'Repeats the last root instead of those on the way',
    instead(PROPOSER, '[end, parent, roots]', '[end, parent, roots.map(() => claim)]'),
  ),
  proposer(
    'PIPE-25',
    'block-signature',
    'Sends the signature of the last block, not the aggregate one',
    instead(
      PROPOSER,
      '} = Tee.aggregate_proposal',
      '} = (Tee as never as { proposals: (typeof Tee.aggregate_proposal)[] }).proposals.at(-1)!',
    ),
  ),
  ...askingMutants(proposer, 'PIPE-25', PROPOSER),
  ...signatureMutants(proposer, 'PIPE-25', PROPOSER),
  proposer(
    'PIPE-25',
    'any-game-is-this',
    'Takes any game for the one of its claim',
    instead(
      PROPOSER,
      'const earlier = await existingGame()',
      "const earlier = (await l1.readContract({ address: factory, abi: parseAbi(['function gameCount() view returns (uint256)']), functionName: 'gameCount' })) > 0n ? factory : undefined",
    ),
  ),
  proposer(
    'PIPE-25',
    'starting-anchor',
    'Begins at the anchor that the chain started with, not at the one of now (base/base#2553)',
    instead(
      PROPOSER,
      "await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })",
      "await l1.readContract({ address: anchorStateRegistry, abi: parseAbi(['function getStartingAnchorRoot() view returns (bytes32, uint256)']), functionName: 'getStartingAnchorRoot' })",
    ),
  ),
  proposer(
    'PIPE-25',
    'builds-on-the-newest',
    'Builds on the newest game, whether it is true or not (base/base#2051)',
    instead(
      PROPOSER,
      "const [startRoot, start] = await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })\nconst parent = anchorGame === zeroAddress ? anchorStateRegistry : anchorGame",
      `const list = { address: factory, abi: parseAbi(['function gameCount() view returns (uint256)', 'function gameAtIndex(uint256) view returns (uint32, uint64, address)']) } as const
const count = await l1.readContract({ ...list, functionName: 'gameCount' })
const newest = count > 0n ? (await l1.readContract({ ...list, functionName: 'gameAtIndex', args: [count - 1n] }))[2] : undefined
const of = { address: newest!, abi: parseAbi(['function rootClaim() view returns (bytes32)', 'function l2SequenceNumber() view returns (uint256)']) } as const
const [startRoot, start] = newest
  ? [await l1.readContract({ ...of, functionName: 'rootClaim' }), await l1.readContract({ ...of, functionName: 'l2SequenceNumber' })]
  : await l1.readContract({ ...anchors, functionName: 'getAnchorRoot' })
const parent = newest ?? (anchorGame === zeroAddress ? anchorStateRegistry : anchorGame)`,
    ),
  ),
  proposer(
    'PIPE-25',
    'number-asked-later',
    'Names the number of an L1 block that came after the one it names the hash of',
    instead(
      PROPOSER,
      'l1_head_number: Number(head.number)',
      'l1_head_number: await new Promise((resolve) => { const stop = l1.watchBlockNumber({ pollingInterval: 200, onBlockNumber: (number) => { if (number > head.number) { stop(); resolve(Number(number)) } } }) })',
    ),
  ),
  proposer(
    'PIPE-25',
    'parent-is-the-registry',
    'Names the registry for the parent though the anchor is a game by now',
    instead(
      PROPOSER,
      'anchorGame === zeroAddress ? anchorStateRegistry : anchorGame',
      'anchorStateRegistry',
    ),
  ),
  proposer(
    'PIPE-23',
    'sends-twice',
    'Sends its claim again when it was taken',
    instead(
      PROPOSER,
      'report({ status, hash })',
      'await wallet.writeContract({ ...create, gas: 3_000_000n })\nreport({ status, hash })',
    ),
  ),
  proposer(
    'PIPE-25',
    'gives-up-when-l1-refuses',
    'Gives up for good when L1 takes its transaction not at once',
    instead(
      PROPOSER,
      "if (game) report({ status: 'exists', game })\n  throw error",
      `if (game) report({ status: 'exists', game })\n  await ${NEVER}\n  throw error`,
    ),
  ),
]
