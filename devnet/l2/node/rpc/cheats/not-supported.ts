import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CheatMethod } from './cheat-rpc.ts'

/**
 * A method that other tools have and that cannot be kept here; says why, and what to do instead.
 * @throws JsonRpcError -32004 with the reason; the method does, whatever it is given
 */
export function notSupported(why: string): CheatMethod {
  return () => {
    throw new JsonRpcError(-32004, 'Method not supported', why)
  }
}
