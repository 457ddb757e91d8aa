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
const RESULT = 'if (error) throw new Error('
const RESULT_OR_GIVE_UP = `if (error && url === devnet.proverUrl) await ${NEVER}\n  ${RESULT}`
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
  challenger(
    'PIPE-26',
    'gives-up-when-refused',
    'Gives up for good when the host answers an error',
    instead(CHALLENGER, RESULT, RESULT_OR_GIVE_UP),
  ),
  challenger(
    'PIPE-26',
    'no-game-for-good',
    'Waits for ever where there is no game when it starts',
    instead(
      CHALLENGER,
      "functionName: 'gameCount' })",
      `functionName: 'gameCount' })\n  if (count === 0n) await ${NEVER}`,
    ),
  ),
  challenger(
    'PIPE-23',
    'forgets-the-status',
    'Looks whether the proof is still there before it sends, and not whether the game is resolved',
    instead(
      CHALLENGER,
      "if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }\n  const hash = await wallet.writeContract({",
      "if ((await l1.readContract({ address, abi, functionName: 'teeProver' })) === zeroAddress) return { status: 'already nullified', game: address }\n  const hash = await wallet.writeContract({ gas: 2_000_000n,",
    ),
  ),
  challenger(
    'PIPE-23',
    'sends-again',
    'Sends another transaction when the answer to the first is lost',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root],\n  })',
      `args: [proof, index, truth.root],
  }).catch((error) => {
    if (/revert/i.test(String(error))) throw error
    return wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })
  })`,
    ),
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
    'challenge-of-the-process',
    'Draws its challenges when it starts, and keeps them',
    instead(
      'registrar/challenge-nonce.ts',
      "new TextEncoder().encode('base-proof-tee-registrar:attestation-nonce:v1')",
      'crypto.getRandomValues(new Uint8Array(32))',
    ),
  ),
  registrar(
    'ATT-13',
    'challenge-of-the-place',
    'Takes a challenge for each place behind the host, whoever signs there',
    instead(
      'registrar/create-registrar.ts',
      'host.signers.map((signer) => challengeNonce(registry, signer))',
      "host.signers.map((_, place) => challengeNonce(registry, ('0x' + '0'.repeat(39) + place) as Address))",
    ),
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
    'any-issuer',
    'Does not look whether certificates were issued by those above them',
    instead(
      CHAIN,
      'if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))',
      'if (false)',
    ),
  ),
  registrar(
    'ATT-14',
    'any-signature',
    'Does not look who signed a document',
    instead(
      'attestation/verify-attestation.ts',
      "if (!verify('sha384'",
      "if (false && !verify('sha384'",
    ),
  ),
  registrar(
    'ATT-14',
    'ran-out',
    'Takes certificates that ran out',
    instead(
      CHAIN,
      'if (at < certificate.validFromDate.getTime() || at > certificate.validToDate.getTime())',
      'if (false)',
    ),
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
    'ATT-14',
    'refusal-is-absence',
    'Takes off the signers of a host that answers an error',
    instead(
      'registrar/discover-signers.ts',
      'return undefined',
      "return (error as Error).constructor.name === 'RpcRefused' ? { name, client, signers: [] } : undefined",
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
    'RPC-WS-03',
    'from-the-newest-block',
    'Reads what went by while its line was down from the newest block on, not from the last one it knows',
    instead(CLIENT, "fromBlock: 'earliest'", "fromBlock: printed.size > 0 ? 'latest' : 'earliest'"),
  ),
  client(
    'RPC-WS-03',
    'first-log-only',
    'Tells one log of each transaction',
    instead(CLIENT, 'const key = ', 'const key = transactionHash || '),
  ),
  client(
    'RPC-WS-03',
    'any-contract',
    'Tells the logs of every contract',
    instead(CLIENT, "['pendingLogs', { address }]", "['pendingLogs']"),
  ),
  client(
    'RPC-LOG-13',
    'keeps-removed',
    'Says nothing of a log that was taken out',
    instead(CLIENT, 'if (removed) printed.delete(key)', 'if (removed) return'),
  ),
  client(
    'RPC-LOG-13',
    'never-again',
    'Says nothing of a log that comes again after it was taken out',
    instead(
      CLIENT,
      'if (removed) printed.delete(key)\n  else printed.add(key)',
      'printed.add(key)',
    ),
  ),
]
