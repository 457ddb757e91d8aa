import { ACTORS_ERRORS } from './table/actors-errors.ts'
import { CHAIN_ERRORS } from './table/chain-errors.ts'
import { CLIENTS_ERRORS } from './table/clients-errors.ts'
import { DERIVATION_ERRORS } from './table/derivation-errors.ts'
import { DEVNET_ERRORS } from './table/devnet-errors.ts'
import { ENCLAVE_ERRORS } from './table/enclave-errors.ts'
import type { ErrorRow } from './table/error-row.ts'
import { FAULTS_ERRORS } from './table/faults-errors.ts'
import { GATE_ERRORS } from './table/gate-errors.ts'
import { L1_ERRORS } from './table/l1-errors.ts'
import { MACHINE_ERRORS } from './table/machine-errors.ts'
import { PROOF_ERRORS } from './table/proof-errors.ts'
import { TRANSACTION_ERRORS } from './table/transaction-errors.ts'

/** Which numbers are whose. Areas have a hundred each. */
export const ERROR_AREAS = [
  { area: 'machine', title: 'The command line and this machine', first: 100, rows: MACHINE_ERRORS },
  {
    area: 'devnet',
    title: 'A devnet: starting, finding and keeping it',
    first: 200,
    rows: DEVNET_ERRORS,
  },
  {
    area: 'transaction',
    title: 'Transactions, and the pool',
    first: 300,
    rows: TRANSACTION_ERRORS,
  },
  { area: 'chain', title: 'Blocks, state and execution', first: 400, rows: CHAIN_ERRORS },
  { area: 'l1', title: 'L1 and blobs', first: 500, rows: L1_ERRORS },
  { area: 'derivation', title: 'From L1 to L2', first: 600, rows: DERIVATION_ERRORS },
  { area: 'proof', title: 'Proofs and journals', first: 700, rows: PROOF_ERRORS },
  {
    area: 'enclave',
    title: 'Enclaves: start, wire, attestation',
    first: 800,
    rows: ENCLAVE_ERRORS,
  },
  {
    area: 'actors',
    title: 'Proposer, challenger, registrar, audit',
    first: 900,
    rows: ACTORS_ERRORS,
  },
  { area: 'faults', title: 'Faults and named situations', first: 1000, rows: FAULTS_ERRORS },
  { area: 'gate', title: 'The conformance gate', first: 1100, rows: GATE_ERRORS },
  { area: 'clients', title: 'Libraries and builder codes', first: 1200, rows: CLIENTS_ERRORS },
] as const

type KeysOfEach<Rows> = Rows extends Rows ? keyof Rows : never
type OurCode = KeysOfEach<(typeof ERROR_AREAS)[number]['rows']>

/** Every code that an error of ours may bear; those of JSON-RPC bear the number of the wire. */
export type ErrorCode = OurCode | `JSON_RPC_${number}`

const ROWS: ReadonlyMap<string, ErrorRow> = new Map(
  ERROR_AREAS.flatMap(({ rows }) => Object.entries<ErrorRow>(rows)),
)

/** What the table says of one code. */
export interface ErrorExplanation {
  /** `RB104`; stable as the code is. */
  id: string
  title: string
  action: string | undefined
  /** From the root of the package, with the code's anchor. */
  page: string
}

/**
 * What is to say of a code besides what its error says.
 *
 * @returns undefined for a code that is none of ours, as the number of a JSON-RPC error
 * @example
 * explainError('PORT_BUSY')?.id // 'RB104'
 */
export function explainError(code: string): ErrorExplanation | undefined {
  const row = ROWS.get(code)
  return (
    row && {
      id: `RB${row.number}`,
      title: row.title,
      action: row.action,
      page: `devnet/docs/errors.md#${code.toLowerCase()}`,
    }
  )
}
