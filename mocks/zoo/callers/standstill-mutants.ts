import { instead, NEVER } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const L1 = 'createPublicClient({ transport: http(devnet.l1RpcUrl) })'
const L1_OR_GIVE_UP = `createPublicClient({ transport: http(devnet.l1RpcUrl, { fetchFn: (url: any, init: any) => fetch(url, init).then((given) => given.ok ? given : ${NEVER}) }) })`

const ONE_GWEI = 'maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n'

/** Callers that stand still for good after something that passes. */
export const STANDSTILL_MUTANTS: readonly Mutant[] = [
  mutantsOf('proposer', 'proposer')(
    'PIPE-25',
    'gives-up-when-l1-is-busy',
    'Gives up for good when L1 has no answer to a question of it once',
    instead('own-proposer.ts', L1, L1_OR_GIVE_UP),
  ),
  mutantsOf('challenger', 'challenger')(
    'PIPE-26',
    'gives-up-when-l1-is-busy',
    'Gives up for good when L1 has no answer to a question of it once',
    instead('own-challenger.ts', L1, L1_OR_GIVE_UP),
  ),
  mutantsOf('proposer', 'proposer')(
    'PIPE-25',
    'one-gwei',
    'Pays no more than one gwei for gas, whatever it costs',
    instead('own-proposer.ts', '  value: bond,\n', `  value: bond,\n  ${ONE_GWEI},\n`),
  ),
  mutantsOf('challenger', 'challenger')(
    'PIPE-26',
    'one-gwei',
    'Pays no more than one gwei for gas, whatever it costs',
    instead(
      'own-challenger.ts',
      'args: [proof, index, truth.root],\n',
      `args: [proof, index, truth.root],\n    ${ONE_GWEI},\n`,
    ),
  ),
  mutantsOf('registrar', 'registrar')(
    'ATT-14',
    'gives-up-when-l1-refuses',
    'Tries no signer again that L1 did not take at once',
    instead(
      'registrar/create-registrar.ts',
      'await register(signer, document, nonces[index]!)\n',
      `await register(signer, document, nonces[index]!).catch((error) => /nonce/i.test(String(error)) ? ${NEVER} : Promise.reject(error))\n`,
    ),
  ),
]
