import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { RemoteFork } from '#devnet/base/fork/remote-fork'
import { type FlagsOf, text, value } from './flags.ts'
import { wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

/** Which chain L2 goes on from, for commands that start a devnet. */
export const FORK_FLAGS = {
  forkUrl: text('<url>', 'go on from the state of the chain that this RPC serves; no prover'),
  forkBlock: value('<n>', 'number of the block to go on from; default: the newest', wholeNumber(0)),
  forkHeader: value(
    '<header>',
    'header of requests to --fork-url, as "Authorization: Bearer …"; may be repeated',
    headers,
  ),
  forkCache: text('<dir>', 'where what was read is kept; none: nowhere; default: ~/.cache'),
} as const

/**
 * @returns undefined: a chain of its own
 * @throws RollbedError USAGE
 * @example
 * await startDevnet({ fork: forkOf({ forkUrl: 'https://mainnet.base.org' }) })
 */
export function forkOf({
  forkUrl,
  forkBlock,
  forkHeader,
  forkCache,
}: FlagsOf<typeof FORK_FLAGS>): RemoteFork | undefined {
  if (forkUrl === undefined) {
    if ((forkBlock ?? forkHeader ?? forkCache) === undefined) return undefined
    throw new UsageError('--fork-block, --fork-header and --fork-cache need --fork-url.')
  }
  if (!/^https?:/.test(forkUrl) || !URL.canParse(forkUrl)) {
    throw new UsageError('--fork-url must be the http(s) URL of a JSON-RPC endpoint.')
  }
  return {
    url: forkUrl,
    block: forkBlock,
    headers: forkHeader,
    cache: forkCache === 'none' ? false : forkCache && resolve(forkCache),
  }
}

/** One more header. */
function headers() {
  return (line: string, before: Readonly<Record<string, string>> = {}) => {
    const [, name, content] = /^([\w-]+):\s*(.+)$/.exec(line) ?? []
    if (!name) throw new InvalidArgumentError('It must be a name, a colon and a value.')
    return { ...before, [name.toLowerCase()]: content! }
  }
}
