import type { PublicClient } from 'viem'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Audit } from './audit.ts'
import { auditClaims } from './audit-claims.ts'
import type { NamedSchedule } from './known-schedules.ts'
import { isKnownCall, readCalldata } from './read-calldata.ts'
import { readJournalBytes } from './read-journal-bytes.ts'
import { readHeadNumbers, readL1Facts, readTransaction, type SubmittedCall } from './read-l1.ts'
import { readProofResult } from './read-proof-result.ts'
import type { Known } from './signed-claim.ts'
import { submittedClaim } from './submitted-claim.ts'

/** A ProofResult as JSON; or bytes: a journal, calldata, or the hash of an L1 transaction. */
export type AuditInput = { json: unknown } | { bytes: Uint8Array }

export interface AuditOptions {
  known: Known
  /** Who may have signed; empty when nobody knows. */
  signers: readonly Address[]
  /** Of a journal that comes as bytes. */
  signature?: Hex
  /** Where games, signers and transactions are looked up. */
  l1?: PublicClient
  /** Where no signature fits, single bytes are tried too; each claim takes seconds. Default: not. */
  triesBytes?: boolean
  /** Of the chain's upgrades: they name what a ProofResult tells by its id alone. */
  schedules?: readonly NamedSchedule[]
  /** The contract that calldata is for; with `l1`. */
  to?: Address
}

/** A transaction hash without an L1 to look it up. */
export class L1Needed extends RollbedError {
  constructor() {
    super('L1_NEEDED', '32 bytes are taken for the hash of an L1 transaction.', {
      hint: 'Give the L1 with --l1 URL.',
    })
  }
}

/** An L1 to look things up, but not where. */
export class ContractNeeded extends RollbedError {
  constructor() {
    super('CONTRACT_NEEDED', 'Calldata does not say which contract it is for.', {
      hint: 'Give it with --to ADDRESS: the factory, the game or the TEEVerifier. Or leave --l1 out.',
    })
  }
}

/**
 * Audits whatever holds a signed journal.
 * @throws JournalInvalid, ProofResultInvalid, CalldataInvalid, NoSuchTransaction, L1Needed,
 *   ContractNeeded, and RpcUnreachable when the L1 does not answer
 * @example
 * const audit = await auditInput({ json: proofResult }, { known: { proposer }, signers: [] })
 */
export async function auditInput(input: AuditInput, options: AuditOptions): Promise<Audit> {
  const { known, signers, signature, l1, to, triesBytes = false } = options
  if ('json' in input) {
    const claims = readProofResult(input.json, known, options.schedules)
    const heads = l1 && (await unwrapped(readHeadNumbers(l1, claims)))
    return auditClaims(`ProofResult with ${claims.length - 1} blocks`, claims, signers, {
      heads,
      triesBytes,
    })
  }
  const { bytes } = input
  const data = bytesToHex(bytes) as Hex
  if (bytes.length === 32) {
    if (!l1) throw new L1Needed()
    return auditTransaction(l1, data, options)
  }
  if (isKnownCall(data)) {
    const call = {
      submission: readCalldata(data),
      ...(known.proposer && { sender: known.proposer }),
    }
    if (l1 && !to) throw new ContractNeeded()
    return auditCall('calldata', to ? { ...call, to } : call, options)
  }
  const claim = readJournalBytes(bytes, known, signature, options.schedules)
  const heads = l1 && (await unwrapped(readHeadNumbers(l1, [claim])))
  return auditClaims(`journal of ${bytes.length} bytes`, [claim], signers, {
    heads,
    triesBytes,
  })
}

async function auditTransaction(
  l1: PublicClient,
  hash: Hash,
  options: AuditOptions,
): Promise<Audit> {
  const call = await unwrapped(readTransaction(l1, hash))
  return auditCall(`L1 transaction ${hash}`, call, options)
}

async function auditCall(
  input: string,
  { to, ...call }: Omit<SubmittedCall, 'to'> & { to?: Address },
  { known, signers, l1, triesBytes = false }: AuditOptions,
): Promise<Audit> {
  const facts = l1 && to ? await unwrapped(readL1Facts(l1, { ...call, to })) : undefined
  const claim = submittedClaim(call.submission, { known, ...facts })
  const registered = [...(facts?.chain.registered.keys() ?? [])]
  const heads = l1 && (await unwrapped(readHeadNumbers(l1, [claim])))
  return auditClaims(input, [claim], signers.length ? signers : registered, {
    heads,
    triesBytes,
  })
}

/** viem wraps what its transport throws; ours says more. */
async function unwrapped<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof RollbedError) throw cause
    throw error
  }
}
