import { http } from 'viem'

/** viem retries a rate limit, and heeds its `Retry-After`; it retries a connection that broke, too. */
const RETRIES = 3
/**
 * Milliseconds for one answer. viem's 10 s are less than a busy machine may take, and a transaction that
 * is sent again because its answer was late would be refused as known.
 */
const PATIENCE = 60_000

/** How drivers speak to a target: what they ask for is no verdict, so they wait longer than a case does. */
export function driverTransport(url: string, headers: Readonly<Record<string, string>> = {}) {
  return http(url, {
    retryCount: RETRIES,
    timeout: PATIENCE,
    fetchOptions: { headers: { ...headers } },
  })
}
