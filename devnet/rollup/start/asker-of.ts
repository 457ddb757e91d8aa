import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Ask } from './open-branch.ts'

/** @throws RollbedError DEVNET_UNREACHABLE, DEVNET_REFUSED */
export const askerOf =
  (rpcUrl: string): Ask =>
  (method, params) =>
    askDevnet(rpcUrl, method, params)

async function askDevnet(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).catch((cause: unknown) => {
    throw new RollbedError('DEVNET_UNREACHABLE', `No devnet answers at ${rpcUrl}.`, {
      cause,
      hint: 'Start one: npx rollbed up.',
    })
  })
  const answer = (await response.json().catch(() => ({}))) as {
    result?: unknown
    error?: { message: string; data?: unknown }
  }
  if ('result' in answer) return answer.result
  const said = answer.error?.message ?? `status ${response.status}`
  throw new RollbedError('DEVNET_REFUSED', `${rpcUrl} refuses ${method}: ${said}`, {
    hint:
      typeof answer.error?.data === 'string'
        ? answer.error.data
        : 'Is it a devnet of this version?',
  })
}
