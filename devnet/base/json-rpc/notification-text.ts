import { JsonText } from './json-text.ts'

/** One notification, as JSON-RPC 2.0 has it. */
export function notificationText(method: string, params: unknown): string {
  const text = params instanceof JsonText ? params.text : JSON.stringify(params)
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${text}}`
}
