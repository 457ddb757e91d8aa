/**
 * Where a service is reached that listens there: an IPv6 address stands in brackets (RFC 3986, 3.2.2).
 *
 * @param host a name, or an address as Node.js takes it to listen on
 * @example
 * urlOf('::1', 8545) // 'http://[::1]:8545'
 */
export function urlOf(host: string, port: number, scheme: 'http' | 'ws' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
