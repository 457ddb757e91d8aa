import { UsageError } from './usage-error.ts'

/** What a word of anvil's is here: words in its place, or why there is none and what to do. */
export type AnvilWord =
  | { ours: readonly string[]; says?: never; hint?: never }
  | { ours?: never; says: string; hint: string }

const ours = (...words: string[]): AnvilWord => ({ ours: words })
const says = (sentence: string, hint: string): AnvilWord => ({ says: sentence, hint })

const ACCOUNTS = says(
  'The ten accounts are those of the test mnemonic, with 10,000 ether each.',
  "For more ether 'rollbed faucet ADDRESS', or anvil_setBalance of the RPC.",
)
const DUMPS = says(
  'A devnet keeps itself in a folder.',
  "Give it '--state DIR', or keep the state alone: 'rollbed state export FILE', 'rollbed state import FILE'.",
)
const FEES = says(
  'Fees and gas limits of blocks are those of a Base-like chain.',
  'For one test set them by RPC: anvil_setNextBlockBaseFeePerGas, evm_setBlockGasLimit.',
)
const LIMITS = says(
  'Limits are those of the chain.',
  'Those of calls can be overridden in the call: eth_call and eth_simulateV1 take state and block overrides.',
)
const REMOTE = says(
  'Requests to the other chain are paced and tried again by themselves.',
  "'--fork-header' and '--fork-cache' are there.",
)
const LOGS = says(
  'What a transaction did is asked for by RPC.',
  "debug_traceTransaction and trace_transaction answer without a flag; '--verbose' logs what every part does.",
)
const NETWORK = says('The chain is a rollup on an L1 of its own, and no other.', 'Leave it out.')
const HISTORY = says(
  'How much is kept has its own words.',
  "'--history-blocks N', '--history-memory MiB'.",
)

/**
 * The options of anvil 1.7 that `rollbed up` does not have under their names, and Hardhat's for where it
 * listens: people type them.
 */
export const ANVIL_WORDS: Readonly<Record<string, AnvilWord>> = {
  '-p': ours('--port-base'),
  '--port': ours('--port-base'),
  '-b': ours('--block-time'),
  '-f': ours('--fork-url'),
  '--fork': ours('--fork-url'),
  '--rpc-url': ours('--fork-url'),
  '--fork-block-number': ours('--fork-block'),
  '--cache-path': ours('--fork-cache'),
  '--no-storage-caching': ours('--fork-cache', 'none'),
  '--timestamp': ours('--genesis-time'),
  '--no-mining': ours('--manual'),
  '-q': ours(),
  '--quiet': ours(),
  '--silent': ours(),
  '-a': ACCOUNTS,
  '--accounts': ACCOUNTS,
  '--balance': ACCOUNTS,
  '-m': ACCOUNTS,
  '--mnemonic': ACCOUNTS,
  '--mnemonic-random': ACCOUNTS,
  '--mnemonic-seed-unsafe': ACCOUNTS,
  '--derivation-path': ACCOUNTS,
  '--host': says(
    'Everything listens on loopback.',
    "Others come in by a proxy of yours: '--allow-host NAME', '--allow-origin URL' let them.",
  ),
  '--hostname': says(
    'Everything listens on loopback.',
    "Others come in by a proxy of yours: '--allow-host NAME', '--allow-origin URL' let them.",
  ),
  '--no-cors': says('Pages on localhost may call.', "Let others in by '--allow-origin URL'."),
  '--no-request-size-limit': says('Large requests are read as a stream.', 'Leave it out.'),
  '--ipc': says('There is HTTP and WebSocket.', "'rollbed up' prints both URLs."),
  '--dump-state': DUMPS,
  '--load-state': DUMPS,
  '--state-interval': DUMPS,
  '-s': DUMPS,
  '--init': says(
    'The genesis is that of a rollup, with its contracts.',
    "Add state at '--chain-id' of your own by anvil_setBalance, anvil_setCode, or 'rollbed state import FILE'.",
  ),
  '--number': says(
    'A chain begins at block 0.',
    'anvil_mine goes on by as many blocks as you say.',
  ),
  '--prune-history': HISTORY,
  '--preserve-historical-states': HISTORY,
  '--max-persisted-states': HISTORY,
  '--transaction-block-keeper': HISTORY,
  '--max-transactions': LIMITS,
  '--memory-limit': LIMITS,
  '--code-size-limit': LIMITS,
  '--disable-code-size-limit': LIMITS,
  '--disable-block-gas-limit': FEES,
  '--enable-tx-gas-limit': FEES,
  '--gas-limit': FEES,
  '--gas-price': FEES,
  '--block-base-fee-per-gas': FEES,
  '--disable-min-priority-fee': FEES,
  '--disable-pool-balance-checks': LIMITS,
  '--disable-default-create2-deployer': says('It is there.', 'Leave it out.'),
  '--mixed-mining': says(
    'Blocks come by time, and a pre-confirmation within 200 ms.',
    "'--manual' for none by time; rollbed_seal and anvil_mine make one at once.",
  ),
  '--order': says('Transactions are ordered by fee, as Base does.', 'Leave it out.'),
  '--slots-in-an-epoch': says(
    'Finality comes from L1.',
    "'--l1-block-time S' makes it come sooner.",
  ),
  '--hardfork': says(
    'The fork is Jovian, or the one of the chain that is forked.',
    "Leave it out, or say '--chain today' for Base as it is since Denim.",
  ),
  '--auto-impersonate': says(
    'Accounts are impersonated by RPC.',
    'anvil_autoImpersonateAccount with true does it for all.',
  ),
  '--disable-console-log': LOGS,
  '--print-traces': LOGS,
  '--steps-tracing': LOGS,
  '-v': LOGS,
  '--verbosity': LOGS,
  '--color': says('NO_COLOR is respected.', 'Set it in the environment.'),
  '--md': says('There is text and JSON.', "'--json' prints one line of JSON."),
  '-j': says('Threads are chosen by the machine.', 'Leave it out.'),
  '--threads': says('Threads are chosen by the machine.', 'Leave it out.'),
  '--fork-chain-id': says(
    'The chain id of a fork is read from it.',
    "'--chain-id N' gives it another.",
  ),
  '--fork-transaction-hash': says('A fork goes on from a block.', "'--fork-block N'."),
  '--fork-retry-backoff': REMOTE,
  '--compute-units-per-second': REMOTE,
  '--no-rate-limit': REMOTE,
  '--retries': REMOTE,
  '--timeout': REMOTE,
  '-n': NETWORK,
  '--network': NETWORK,
  '--celo': NETWORK,
  '--optimism': NETWORK,
}

/**
 * A command line of `rollbed up` in which anvil's words are ours.
 * @throws UsageError where there is no such thing, and what there is
 * @example
 * inOurWords(['up', '--port=9000', '--silent']) // ['up', '--port-base', '9000']
 */
export function inOurWords(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const [, name = arg, given] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? []
    const word = Object.hasOwn(ANVIL_WORDS, name) ? ANVIL_WORDS[name] : undefined
    if (!word) return [arg]
    if (!word.ours)
      throw new UsageError(`'rollbed up' has no ${name}: ${lower(word.says)}`, word.hint)
    return given === undefined ? word.ours : [...word.ours, given]
  })
}

const lower = (sentence: string) =>
  sentence.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
