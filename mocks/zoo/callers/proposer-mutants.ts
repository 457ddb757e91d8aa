import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import {
  ASK,
  ASK_IMPATIENTLY,
  ASK_OR_GIVE_UP,
  ASK_UNLESS_BUSY,
  RESULT,
  RESULT_OR_GIVE_UP,
} from './ask-host.ts'

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
  proposer(
    'PIPE-25',
    'gives-up',
    'Gives up for good when the host does not answer',
    instead(PROPOSER, ASK, ASK_OR_GIVE_UP),
  ),
  proposer(
    'PIPE-25',
    'gives-up-when-busy',
    'Gives up for good when the host is busy',
    instead(PROPOSER, ASK, ASK_UNLESS_BUSY),
  ),
  proposer(
    'PIPE-25',
    'impatient',
    'Waits ten seconds for a proof, and asks again',
    instead(PROPOSER, ASK, ASK_IMPATIENTLY),
  ),
  proposer(
    'PIPE-25',
    'gives-up-when-refused',
    'Gives up for good when the host answers an error',
    instead(PROPOSER, RESULT, RESULT_OR_GIVE_UP),
  ),
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
]
