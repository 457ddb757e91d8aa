import type { Mistake } from '#mocks/callers/make-mistake'
import { type Mutant, mutantsOf } from './mutant.ts'

const proposer = mutantsOf('proposer', 'proposer')
const challenger = mutantsOf('challenger', 'challenger')
const registrar = mutantsOf('registrar', 'registrar')
const client = mutantsOf('client', 'client')

/** A change of one text in one file of the caller. */
const instead = (file: string, from: string, to: string): Mutant['apply'] => {
  const mistake: Mistake = { file, from, to }
  return () => ({ mistake })
}

const PROPOSER = 'own-proposer.ts'
const CHALLENGER = 'own-challenger.ts'
const CLIENT = 'own-client.ts'
const CHECK = 'registrar/check-attestation.ts'
const CHAIN = 'attestation/verify-chain.ts'

/** How our own ask the host, and how it is done wrong. */
const FETCH = "fetch(url, { method: 'POST', headers, body })"
/** Keeps its process alive, too. */
const NEVER =
  "new Promise<never>(() => void import('node:net').then(({ createServer }) => createServer().listen(0)))"
const ASK = `await (await ${FETCH}).json()`
const ASK_OR_GIVE_UP = `await (await ${FETCH}.catch(() => ${NEVER})).json()`
const ASK_UNLESS_BUSY = `await ${FETCH}.then((given) => given.ok ? given.json() : ${NEVER})`
const ASK_IMPATIENTLY =
  "await (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })).json()"

/** Callers with one mistake, made in the source of our own. */
export const CALLER_MUTANTS: readonly Mutant[] = [
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
  challenger(
    'SIG-06',
    'v-not-raised',
    'Sends v as the enclave gave it',
    instead(CHALLENGER, '+ 27)', ')'),
  ),
  challenger(
    'SIG-06',
    'v-always-27',
    'Sends 27 whatever v the enclave gave',
    instead(CHALLENGER, 'numberToHex(Number(slice(signature, 64)) + 27)', 'numberToHex(27)'),
  ),
  challenger(
    'PIPE-26',
    'other-proposer',
    'Asks for a proof for another account than the one that sends',
    instead(CHALLENGER, 'proposer: account.address', 'proposer: devnet.accounts[3].address'),
  ),
  challenger(
    'PIPE-26',
    'last-wrong-root',
    'Goes on to the last wrong root of a game',
    instead(
      CHALLENGER,
      'for (let index = 0n; index < count; index += 1n) {\n    const end = start + (index + 1n) * interval',
      'for (let index = count - 1n; index >= 0n; index -= 1n) {\n    const end = start + (index + 1n) * interval\n    agreed = await outputAt(end - interval)',
    ),
  ),
  challenger(
    'PIPE-26',
    'newest-l1-head',
    'Asks for its proof from the newest L1 block',
    instead(
      CHALLENGER,
      "const l1Head = await l1.readContract({ ...game, functionName: 'l1Head' })",
      'const l1Head = (await l1.getBlock()).hash',
    ),
  ),
  challenger(
    'PIPE-26',
    'block-signature',
    'Sends the signature of the last block, not the aggregate one',
    instead(
      CHALLENGER,
      '} = Tee.aggregate_proposal',
      '} = (Tee as never as { proposals: (typeof Tee.aggregate_proposal)[] }).proposals.at(-1)!',
    ),
  ),
  challenger(
    'PIPE-26',
    'wrong-index',
    'Always disputes the first root',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root]',
      'args: [proof, 0n, truth.root], gas: 2_000_000n',
    ),
  ),
  challenger(
    'PIPE-23',
    'sends-blindly',
    'Does not look at the game again before it sends',
    instead(
      CHALLENGER,
      "if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }",
      "await wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })",
    ),
  ),
  challenger(
    'PIPE-26',
    'gives-up',
    'Gives up for good when the host does not answer',
    instead(CHALLENGER, ASK, ASK_OR_GIVE_UP),
  ),
  challenger(
    'PIPE-26',
    'gives-up-when-busy',
    'Gives up for good when the host is busy',
    instead(CHALLENGER, ASK, ASK_UNLESS_BUSY),
  ),
  challenger(
    'PIPE-26',
    'impatient',
    'Waits ten seconds for a proof, and asks again',
    instead(CHALLENGER, ASK, ASK_IMPATIENTLY),
  ),
  registrar(
    'ATT-13',
    'random-challenge',
    'Takes a random challenge each time',
    instead(
      'registrar/challenge-nonce.ts',
      'return keccak256(',
      'return crypto.getRandomValues(new Uint8Array(32)); return keccak256(',
    ),
  ),
  registrar(
    'ATT-13',
    'one-challenge-for-all',
    'Takes the same challenge for all signers',
    instead('registrar/challenge-nonce.ts', ', hexToBytes(signer)', ''),
  ),
  registrar(
    'ATT-13',
    'challenge-not-compared',
    'Does not look which challenge a document is for',
    instead(CHECK, '{ at, root: trustedRoot, nonce }', '{ at, root: trustedRoot }'),
  ),
  registrar(
    'ATT-14',
    'debug-image',
    'Registers an image in debug mode',
    instead(CHECK, 'if (pcr0.every(', 'if (false && pcr0.every('),
  ),
  registrar(
    'ATT-14',
    'key-not-compared',
    'Does not look whose key a document attests',
    instead(CHECK, 'if (addressOf(publicKey) !== signer)', 'if (false)'),
  ),
  registrar(
    'ATT-14',
    'any-root',
    'Takes certificates of any root',
    instead(CHAIN, 'if (!trusted)', 'if (false)'),
  ),
  registrar(
    'ATT-14',
    'gives-up-when-busy',
    'Waits for ever for a host that was busy once',
    instead(
      'registrar/discover-signers.ts',
      'return undefined',
      // A process in which nothing is under way ends, and one that is started anew asks again.
      'return new Promise<undefined>(() => setInterval(() => {}, 60_000))',
    ),
  ),
  registrar(
    'ATT-14',
    'silence-is-absence',
    'Takes off the signers of a host that does not answer',
    instead(
      'registrar/create-registrar.ts',
      'const isMajority = 2 * found.length > hosts.length',
      'const isMajority = true',
    ),
  ),
  registrar(
    'ROT-02',
    'drops-next-image',
    'Takes off the signer of the next image, which no host has yet',
    instead(
      'registrar/create-registrar.ts',
      'return isValid && imageHash !== inForce',
      'return false',
    ),
  ),
  client(
    'RPC-WS-02',
    'waits-for-seal',
    'Tells a log only when its block is sealed',
    instead(CLIENT, "['pendingLogs', { address }]", "['logs', { address }]"),
  ),
  client(
    'RPC-WS-03',
    'tells-twice',
    'Tells a log again when its block is sealed',
    instead(CLIENT, 'if (printed.has(key) !== removed) return', ''),
  ),
  client(
    'RPC-WS-03',
    'forgets-the-gap',
    'Does not read what went by while its line was down',
    instead(CLIENT, "'eth_getLogs'", "printed.size > 0 ? 'eth_chainId' : 'eth_getLogs'"),
  ),
  client(
    'RPC-LOG-13',
    'keeps-removed',
    'Says nothing of a log that was taken out',
    instead(CLIENT, 'if (removed) printed.delete(key)', 'if (removed) return'),
  ),
]
