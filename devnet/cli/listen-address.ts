import { UsageError } from './usage-error.ts'

export interface ListenAddress {
  host: string
  port: number
}

/** A commander argument parser for `host:port`, an IPv6 host in brackets. @throws UsageError */
export function listenAddress(name: string) {
  return (text: string): ListenAddress => {
    const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const host = bracketed ?? plain
    const port = Number(digits)
    if (host && port <= 65_535) return { host, port }
    throw new UsageError(`${name} must be HOST:PORT, not '${text}'.`)
  }
}
