import { intrinsicGas } from '#protocol/execution/intrinsic-gas'
import type { CaseRun } from './case-run.ts'
import type { StateCase } from './state-case.ts'

/** A difference from Ethereum that is in the rules of OP, or of Prague where a test is older. */
interface Exclusion {
  reason: string
  /** Whether it explains why a run ended differently. */
  explains(run: CaseRun): boolean
}

export const P256_VERIFY = 0x100n
/** One call with 4,294,967,295 rounds of BLAKE2F, each for a gas: more than any block of ours has. */
const ENDLESS = 'CALLBlake2f_MaxRounds'
const BLS12_381 = { first: 0x0bn, last: 0x11n }

/** Not only said: such a case was run again, and ended as Ethereum has it. */
export const EQUAL_WITHOUT_P256 =
  'equal once 0x100, a precompile on L2 and warm, is none (OP spec, Fjord: P256VERIFY)'

const OP: readonly Exclusion[] = [
  {
    reason: 'a blob base fee above 1; on L2 it is always 1 (OP spec, Ecotone)',
    explains: ({ test }) => test.environment.excessBlobGas > 0n,
  },
]

/** What Prague changed; a Cancun case that none of them is about runs as it did. */
const PRAGUE: readonly Exclusion[] = [
  {
    reason: 'pays or lacks the calldata floor of EIP-7623',
    explains: ({ outcome }) =>
      'refused' in outcome
        ? outcome.refused === 'FLOOR_GAS_TOO_LOW'
        : outcome.receipt.gasUsed === intrinsicGas(outcome.transaction).floor,
  },
  {
    reason: 'touches an address that EIP-2537 made a precompile',
    explains: ({ touched }) =>
      touched.some((address) => address >= BLS12_381.first && address <= BLS12_381.last),
  },
  {
    reason: 'a set-code transaction, which EIP-7702 brought',
    explains: ({ test }) => test.transaction.startsWith('0x04'),
  },
]

/** The reason why a run may end differently here, if it has one. */
export function explanation(run: CaseRun): string | undefined {
  const exclusions = run.test.fork === 'Cancun' ? [...OP, ...PRAGUE] : OP
  return exclusions.find(({ explains }) => explains(run))?.reason
}

/** Why a case is not run at all, if there is a reason. */
export function unfit({ name, transaction }: StateCase): string | undefined {
  if (transaction.startsWith('0x03')) return 'a blob transaction; L2 has none (OP spec, Ecotone)'
  if (name.includes(ENDLESS)) return 'one call of 4.3 billion gas, hours of BLAKE2F'
  return undefined
}
