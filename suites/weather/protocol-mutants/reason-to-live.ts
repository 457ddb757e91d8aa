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
