import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'

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
