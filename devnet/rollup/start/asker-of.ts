import type { ConnectInProcess } from '#devnet/base/json-rpc/json-rpc-server'
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
  const answer = (await response.json().catch(() => ({}))) as Answer
  return resultOf(answer, `${rpcUrl} refuses ${method}`, `status ${response.status}`)
}

interface Answer {
  result?: unknown
  error?: { message: string; data?: unknown }
}

/** The same without a socket. @throws RollbedError DEVNET_UNREACHABLE, DEVNET_REFUSED */
export const askerInProcess =
  (connect: ConnectInProcess, path: string): Ask =>
  async (method, params) => {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const connection = connect(path, {
        onMessage(text) {
          connection.close()
          resolve(JSON.parse(text) as Answer)
        },
        onClose: () =>
          reject(new RollbedError('DEVNET_UNREACHABLE', 'The devnet of this process has stopped.')),
      })
      connection.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    })
    return resultOf(answer, `The devnet refuses ${method}`, 'no answer')
  }

function resultOf(answer: Answer, what: string, otherwise: string): unknown {
  if ('result' in answer) return answer.result
  const { message = otherwise, data } = answer.error ?? {}
  throw new RollbedError('DEVNET_REFUSED', `${what}: ${message}`, {
    hint: typeof data === 'string' ? data : 'Is it a devnet of this version?',
  })
}
