import type { MutantOutcome } from './mutant-outcome.ts'

/** Why a change may live: file, what stands there, and what stands there instead. */
const REASONS: Readonly<Record<string, string>> = {
  'devnet/l2/batcher/submissions.ts | safe + 1n => safe - 1n':
    'Batches are posted once more than they need be: L1 is paid for it, and derives the same.',
  "devnet/l2/node/sequencer/sequencer.ts | by === 'time' => by !== 'time'":
    'Both say the same time between blocks until a cheat has set another one, and worlds have no cheats.',
  'devnet/actors/registrar/dev-attestation-prover.ts | 0 => (0 + 1)':
    'How many certificates the published verifier remembers; the stand-in has none, and nobody reads it.',
  'devnet/actors/registrar/discover-signers.ts | key.length === 65 && key[0] === 4 => key.length === 65 || key[0] === 4':
    'No host of a world tells a malformed key, for enclaves make whole ones; the test of the file tells such keys.',
  'devnet/actors/registrar/create-registrar.ts | outcome.registered.push(signer) => ;':
    'Who was registered is told to people alone; that the registry has the signer is on L1, and in every proof after it.',
  'enclave-sim/protocol/derivation/scale-gas.ts | 2 ** 32 - 1 => 2 ** 32 + 1':
    'The most that a header holds: a chain would have to say a denominator of hundreds of millions to come near it.',
  'devnet/base/process/kept-database.ts | addRowSums(sql) => ;':
    'Of files of an earlier version, which no world has; the tests of version 1 do.',
}

/** Undefined: it should not live, and work is left. */
export function reasonToLive({
  id,
  from,
  to,
}: Pick<MutantOutcome, 'id' | 'from' | 'to'>): string | undefined {
  return REASONS[`${id.split(':')[0]} | ${from} => ${to}`]
}
