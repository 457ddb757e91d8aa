import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash } from '../types/bytes.ts'

// Messages as deployed enclaves word them (base/base crates/proof): callers and the gate read them.

/** The chain is not in the measured table: nothing is executed (ERR-16, ERR-17, PIPE-14). */
export class UnsupportedChain extends RollbedError {
  constructor(chainId: bigint) {
    super('UNSUPPORTED_CHAIN', `unsupported chain: ${chainId}`)
  }
}

/** Re-execution does not give what was claimed: nothing is signed (PIPE-18, SAFE-03). */
export class InvalidClaim extends RollbedError {
  constructor(computed: Hash, claimed: Hash) {
    super('INVALID_CLAIM', `invalid claim: computed ${computed}, claimed ${claimed}`)
  }
}

/** The claimed block is not one that the L1 head lets derive after the agreed one. */
export class ClaimUnreachable extends RollbedError {
  constructor(reached: bigint, claimed: bigint) {
    super(
      'CLAIM_UNREACHABLE',
      `invalid claim: derivation reaches L2 block ${reached}, claimed block ${claimed}`,
      { hint: 'Use a later L1 head: one that has the batches of the claimed block behind it.' },
    )
  }
}

/** Agreed and claimed root are one: there is no block to prove. */
export class TraceExtension extends RollbedError {
  constructor() {
    super('TRACE_EXTENSION', 'trace extension detected')
  }
}

/** The agreed output root does not belong to the block it names. */
export class AgreedRootInvalid extends RollbedError {
  constructor(agreed: Hash, why: string) {
    super('AGREED_ROOT_INVALID', `agreed output root ${agreed} ${why}`)
  }
}

/** The request gives the L1 head a number that it does not have. */
export class L1HeadInvalid extends RollbedError {
  constructor(hash: Hash, number: bigint, given: bigint) {
    super('L1_HEAD_INVALID', `L1 head ${hash} has number ${number}, not ${given}`)
  }
}
