import { l2ChainId } from '#fixtures/chain/constants'
import type { Clock } from '#protocol/clock/clock'
import type { Fork } from '#protocol/types/execution-config'
import type { JournalEra } from '#protocol/types/journal-era'
import type { LogFormat, LogLevel } from '../create-logger.ts'
import type { RemoteFork } from '../fork/remote-fork.ts'
import type { AccessOptions } from '../json-rpc/guard-access.ts'
import type { Ports } from '../ports.ts'
import type { DataAvailability, Profile } from './devnet-description.ts'
import type { EnclaveChoice } from './enclave-kinds.ts'
import type { ChainName, UpgradeOptions } from './upgrade-options.ts'

/** What `startDevnet` can be told; the defaults are `DEVNET_DEFAULTS`, as for `rollbed up`. */
export interface DevnetOptions extends AccessOptions {
  /** Default: free ports. */
  ports?: Ports
  /** Where every service listens. @default '127.0.0.1' */
  host?: string
  /** Of L2, above 0. @default 84538453 */
  chainId?: number
  /**
   * Whom the node follows where deployed Base differs from the spec. On a chain that crosses Denim always
   * `base`. @default 'spec'
   */
  profile?: Profile
  /**
   * The newest OP fork that is in force from genesis; or another chain that L2 goes on from, as
   * `anvil --fork-url` has it: the block after the one named is this devnet's first. Then there is no
   * prover, and the chain id is the other chain's. @default 'jovian'
   */
  fork?: Fork | RemoteFork
  /**
   * Upgrades of Base, and when they come: `today` (Azul and Denim from genesis: blocks of 200 ms),
   * `crossing` (Denim 20 blocks after the start), or each by name, as `{ azul: 'genesis', denim: '+30s' }`.
   * Default: none, the chain of the specification.
   */
  upgrades?: ChainName | UpgradeOptions
  /**
   * With `upgrades`: whether journals of enclaves end with the id of what holds at the end of a game
   * (`activated-schedule`, Base since August 2026), or of the schedule with all that is announced
   * (`whole-schedule`, July 2026). Games on L1 are those that take them. Default: as since August.
   */
  journalEra?: JournalEra
  /** Seconds between L2 blocks; 0.2 from Denim on, whatever is said here. @default 2 */
  blockTime?: number
  /** Milliseconds between flashblocks. @default 200 */
  flashblockTime?: number
  /** Seconds between L1 blocks; `blockTime` by default, and never shorter. */
  l1BlockTime?: number
  /**
   * Milliseconds without a word from L1 after which whatever waits for it fails, and names it.
   * @default 20000
   */
  l1SilenceLimit?: number
  /**
   * Say, from a thread of its own, when this process's event loop stands still for more than a second;
   * `rollbed up` does. @default false
   */
  watchStalls?: boolean
  /**
   * Milliseconds between two postings of batches; in blobs three times as many by default, for a proof
   * reads all of a window. @default 2000
   */
  batchInterval?: number
  /** Where on L1 batches are put. @default 'calldata' */
  dataAvailability?: DataAvailability
  /**
   * Sealed blocks whose state is kept, at least 256; memory holds no more blocks than that, either.
   * Blocks and receipts stay for good, on disk. On a chain that crosses Denim ten times as many by default,
   * for the same time. @default 2000
   */
  historyBlocks?: number
  /**
   * MiB of memory that old blocks and states take at most, half of it each: under load fewer than
   * `historyBlocks` keep their state, but the newest 64 and all that are not final. @default 96
   */
  historyMemory?: number
  /**
   * The widest `toBlock - fromBlock` that eth_getLogs answers, at every path. Default: 2,000 as the spec
   * has it, and 100,000 in profile `base`, at `/base` and `/plain` (LIM-01).
   */
  logsRange?: number
  /** Only `node.flashblock()` and `node.seal()` move L2. @default false */
  manual?: boolean
  /** Also serve the chain at an endpoint without pre-confirmations. @default false */
  plainRpc?: boolean
  /**
   * Run a second network, with the next chain id, genesis and L1 of its own: a test network beside
   * the main one (RPC-ENV-16). @default false
   */
  testnet?: boolean
  /**
   * Simulated enclaves; 0 for no prover. `vm`: one enclave in a virtual machine, on AF_VSOCK; it
   * takes a dozen seconds, and what `rollbed doctor` lists. `local`: one without a security module, its
   * image hash all zeros. A list has one entry for each: `['sim', 'sim', 'vm']`. @default 1
   */
  enclaves?: EnclaveChoice
  /** Start enclaves even where the machine cannot cut them off the network. @default false */
  insecureNoIsolation?: boolean
  /**
   * Where builder codes are kept: `postgres://…`, which several devnets may share, or a file of SQLite.
   * Default: in memory, gone with the devnet; with `state`, in its folder.
   */
  builderCodeDb?: string
  /** Run a proposer, a challenger and a registrar too. @default false */
  actors?: boolean
  /** Take faults: proxies stand on all links (`rollbed fault`, devnet/docs/faults.md). @default false */
  faults?: boolean
  /**
   * Folder that the devnet lives in: blocks, states, receipts, builder codes and L1 outlive the process,
   * also one that is killed, and the next start with the same folder goes on from there. Nothing is
   * kept by default.
   */
  state?: string
  /**
   * Folder of compiled contracts (Foundry's `out`, Hardhat's `artifacts`), by which the dashboard decodes
   * calls and logs.
   */
  artifacts?: string
  /** Of everything random. @default 0 */
  seed?: number
  /**
   * Unix seconds at which L2 begins; now by default. The devnet's time runs from there, so that
   * genesis, config hash and enclave image are the same at every start.
   */
  genesisTime?: number
  /**
   * Whose pace the devnet's time keeps: the machine's by default. `manual`: time stands still for L1, L2,
   * host, actors and certificates, but for `passTime` and `rollbed_increaseTime`.
   */
  clock?: Clock | 'manual'
  /** @default 'warn' */
  logLevel?: LogLevel
  /**
   * Of the log on standard error: sentences, or one JSON object a line.
   * @default 'text'
   */
  logFormat?: LogFormat
}

/** What a devnet is where nobody says otherwise: for `startDevnet`, for `rollbed up`, for a node alone. */
export const DEVNET_DEFAULTS = {
  host: '127.0.0.1',
  chainId: l2ChainId,
  profile: 'spec',
  fork: 'jovian',
  /** Seconds. */
  blockTime: 2,
  /** Milliseconds. */
  flashblockTime: 200,
  /** Milliseconds. */
  batchInterval: 2000,
  dataAvailability: 'calldata',
  historyBlocks: 2000,
  /** MiB. */
  historyMemory: 96,
  manual: false,
  plainRpc: false,
  testnet: false,
  enclaves: 1,
  insecureNoIsolation: false,
  actors: false,
  faults: false,
  seed: 0,
  /** Milliseconds. */
  l1SilenceLimit: 20000,
  watchStalls: false,
  logLevel: 'warn',
  logFormat: 'text',
} as const satisfies DevnetOptions
