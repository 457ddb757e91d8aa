/** What a service answered in place of a result. */
export class RpcFailure extends Error {
  readonly code: number

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(typeof data === 'string' && data !== '' ? `${message}: ${data}` : message)
    this.code = code
  }
}

/** One call over HTTP, to the services that push nothing. @throws RpcFailure */
export async function postJsonRpc<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new RpcFailure(error)
  return result
}
