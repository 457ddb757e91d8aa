import type { PublicClient } from 'viem'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { encodeJournal } from '#protocol/journal/encode-journal'
import type { Journal } from '#protocol/journal/journal'
import { layoutOf } from '#protocol/journal/layouts'
import { recoverSigner } from '#protocol/journal/recover-signer'
import type { ProofRequest, Proposal } from '#protocol/proof/types'
import type { Address, Hash } from '#protocol/types/bytes'
import type { GameConstants } from './game-rules.ts'
import { enclaveSignature } from './l1-signature.ts'

/**
 * Holds the aggregate of an answer against what was asked. Enclaves compare roots only, so the block
 * number has to be looked at too.
 * @param scheduleIds of the upgrades, as L1 reckons them; none where journals name no schedule
 * @throws ProofUnexpected
 */
export function checkProof(
  aggregate: Proposal,
  request: ProofRequest,
  { configHash, scheduleIds }: Pick<GameConstants, 'configHash'> & { scheduleIds: readonly Hash[] },
): void {
  const expected: Partial<Proposal> = {
    outputRoot: request.claimedL2OutputRoot,
    prevOutputRoot: request.agreedL2OutputRoot,
    l2BlockNumber: request.claimedL2BlockNumber,
    l1OriginHash: request.l1Head,
    configHash,
  }
  for (const [field, value] of Object.entries(expected)) {
    const given = aggregate[field as keyof Proposal]
    if (given !== value) throw new ProofUnexpected(field, String(given), String(value))
  }
  const { scheduleId } = aggregate
  const isOfSchedule = scheduleIds.length === 0 || scheduleIds.some((each) => each === scheduleId)
  if (!isOfSchedule) throw new ProofUnexpected('scheduleId', String(scheduleId), scheduleIds[0]!)
}

/**
 * Who signed an aggregate, as the chain will see it.
 * @param startBlock number of the agreed block
 * @param roots intermediate roots of the journal
 * @throws SignatureInvalid
 */
export function signerOf(
  aggregate: Proposal,
  request: ProofRequest,
  { teeImageHash, configHash }: GameConstants,
  { startBlock, roots }: { startBlock: bigint; roots: Hash[] },
): Address {
  const { scheduleId } = aggregate
  const fields: Journal = {
    proposer: request.proposer,
    l1OriginHash: request.l1Head,
    prevOutputRoot: request.agreedL2OutputRoot,
    startingL2Block: startBlock,
    outputRoot: request.claimedL2OutputRoot,
    endingL2Block: request.claimedL2BlockNumber,
    intermediateRoots: roots,
    configHash,
    teeImageHash,
    ...(scheduleId && { scheduleId }),
  }
  const journal = encodeJournal(fields, layoutOf(fields))
  return recoverSigner(journal, enclaveSignature(aggregate.signature))
}

/** @throws SignerNotValid when the registry does not know the signer for the active image. */
export async function checkSigner(
  l1: PublicClient,
  { proverRegistry }: GameConstants,
  signer: Address,
): Promise<void> {
  const isValid = await l1.readContract({
    address: proverRegistry,
    abi: teeProverRegistryAbi,
    functionName: 'isValidSigner',
    args: [signer],
  })
  if (!isValid) throw new SignerNotValid(signer)
}

export class ProofUnexpected extends RollbedError {
  constructor(field: string, given: string, expected: string) {
    super('PROOF_UNEXPECTED', `The proof's ${field} is ${given}, not ${expected} as asked for.`, {
      hint: 'Check that the prover host serves this very chain.',
    })
  }
}

export class SignerNotValid extends RollbedError {
  constructor(signer: Address) {
    super('SIGNER_NOT_VALID', `The proof is signed by ${signer}, which is no valid signer.`, {
      hint: 'The enclave is not registered, or its image, chain or journal layout is another.',
    })
  }
}
