import { ForkError, type ForkErrorCode } from '#devnet/base/fork/fork-error'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import {
  TransactionInvalid,
  type TransactionInvalidCode,
} from '#protocol/execution/transaction-invalid'

/** An error as plain data: what structured clone would make of it has lost its class. */
export type Failure =
  | { kind: 'rpc'; code: number; message: string; data: unknown }
  | {
      kind: 'invalid'
      code: TransactionInvalidCode
      message: string
      fields: Readonly<Record<string, bigint>>
    }
  | { kind: 'fork'; code: ForkErrorCode; message: string; hint: string }
  | { kind: 'other'; message: string }

export function toFailure(error: unknown): Failure {
  if (error instanceof JsonRpcError) {
    const { rpcCode: code, message, data } = error
    return { kind: 'rpc', code, message, data }
  }
  if (error instanceof TransactionInvalid) {
    const { code, message, fields } = error
    return { kind: 'invalid', code, message, fields }
  }
  if (error instanceof ForkError) {
    const { code, message, hint = '' } = error
    return { kind: 'fork', code, message, hint }
  }
  return { kind: 'other', message: error instanceof Error ? `${error.stack}` : String(error) }
}

export function fromFailure(failure: Failure): Error {
  switch (failure.kind) {
    case 'rpc':
      return new JsonRpcError(failure.code, failure.message, failure.data)
    case 'invalid':
      return new TransactionInvalid(failure.code, failure.message, failure.fields)
    case 'fork':
      return new ForkError(failure.code, failure.message, { hint: failure.hint })
    case 'other':
      return new Error(failure.message)
  }
}
