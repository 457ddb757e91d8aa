import type { Parser } from './flags.ts'
import { UsageError } from './usage-error.ts'

export interface ListenAddress {
  host: string
  port: number
}

/** Reads `host:port`, an IPv6 host in brackets. @throws UsageError */
export const listenAddress: Parser<ListenAddress> = (name) => (text) => {
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host && port <= 65_535) return { host, port }
  throw new UsageError(`${name} must be HOST:PORT, not '${text}'.`)
}
