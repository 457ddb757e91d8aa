import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `rollbed_description []` → what `rollbed up --json` prints; asked of a branch, with its URLs.
 * @throws JsonRpcError -32000 until the devnet is ready
 */
export const rollbedDescription: CheatMethod = ({ description, branching }) => {
  const described = description?.()
  if (!described) throw new JsonRpcError(-32000, 'The devnet is not ready yet.')
  if (!branching?.from) return described
  const path = `/branch/${branching.from.id}`
  const { http, ws } = branching.urls()
  const { plainRpcUrl: _other, baseRpcUrl: _another, ...rest } = described
  return {
    ...rest,
    rpcUrl: `${http}${path}`,
    wsUrl: `${ws}${path}`,
    baseRpcUrl: `${http}${path}/base`,
  }
}
