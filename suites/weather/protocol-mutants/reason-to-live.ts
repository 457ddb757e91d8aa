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
  'devnet/l2/safe-head/find-difference.ts | attributes.parentBeaconBlockRoot => attributes.feeRecipient':
    'Where a block seems other than L1 says, it is made anew of what L1 says, and is the same: time alone is lost.',
  'devnet/l2/safe-head/find-difference.ts | derived !== built => derived === built':
    'Where a block seems other than L1 says, it is made anew of what L1 says, and is the same: time alone is lost.',
  'devnet/l2/safe-head/start-safe-head.ts | 1n => (1n + 1n)':
    'Derivation begins one block earlier after a reorganization, and takes the same block again.',
  'devnet/l2/safe-head/start-safe-head.ts | removed.at(-1)!.header.number - 1n => removed.at(-1)!.header.number + 1n':
    'After a reorganization of L1 derivation goes back by itself with its next look; who takes blocks back without one cheats, and no load does.',
  'devnet/actors/proposer/claim.ts | !root || roots.length < count => !root && roots.length < count':
    'Nobody asks for the roots of a game before its last block is final, and who has that has those before it.',
  'devnet/l2/node/state/keep-history.ts | oldest < needed => oldest <= needed':
    'A world ends before it has as many blocks as states are kept for.',
  'devnet/actors/challenger/recompute-output.ts | !Array.isArray(accountProof) || !accountProof.every((node) => isHex(node)) => !Array.isArray(accountProof) && !accountProof.every((node) => isHex(node))':
    'The node of a world answers whole proofs.',
  'devnet/l2/node/mempool/effective-tip.ts | newer.maxFeePerGas > older.maxFeePerGas => newer.maxFeePerGas >= older.maxFeePerGas':
    'A tenth more, which is asked for as well, is more already but where a fee is below ten wei, and no block takes that.',
  'devnet/base/process/table-totals.ts | !tables.has(TOTALS) => !(!tables.has(TOTALS))':
    'A world keeps few blocks, all of them in pages that each commit writes: what a disk loses of these, the count of writes or the structure tells of first. The test of the file has an older page.',
  'devnet/l2/node/sequencer/newest-origin.ts | origin.hash => origin.number':
    'L1 is asked again for a block that it dropped, and says the same.',
  'devnet/l2/node/sequencer/flashblock-share.ts | (limit * BigInt(Math.min(slot, flashblocksPerBlock))) / BigInt(flashblocksPerBlock) => (limit * BigInt(Math.min(slot, flashblocksPerBlock))) * BigInt(flashblocksPerBlock)':
    'No load fills a fifth of a block, and nothing is put off. The tests of the sequencer fill one.',
  'devnet/proving/prover/raw-block.ts | !header || !Array.isArray(transactions) => !header && !Array.isArray(transactions)':
    'The node of a world answers whole blocks; the test of the file tells it of others.',
  'devnet/l2/batcher/watch-fresh-block.ts | until = clock.now() + time => ;':
    'A block that was sealed just now waits for the next batch only for who replaces it by a cheat, and no load does.',
}

/** Undefined: it should not live, and work is left. */
export function reasonToLive({
  id,
  from,
  to,
}: Pick<MutantOutcome, 'id' | 'from' | 'to'>): string | undefined {
  return REASONS[`${id.split(':')[0]} | ${from} => ${to}`]
}
