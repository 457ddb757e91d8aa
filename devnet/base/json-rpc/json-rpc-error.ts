import { RollbedError } from '#protocol/errors/rollbed-error'

/** An error that travels as a JSON-RPC error object with this number. */
export class JsonRpcError extends RollbedError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super(`JSON_RPC_${Math.abs(rpcCode)}`, message)
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** -32600. @param why what makes it not a request, for the reader. */
export function invalidRequest(why: string): JsonRpcError {
  return new JsonRpcError(-32600, 'Invalid request', why)
}

/** -32602 with a sentence that names the parameter (OPEN-01). */
export function invalidParams(why: string): JsonRpcError {
  return new JsonRpcError(-32602, 'Invalid params', why)
}
