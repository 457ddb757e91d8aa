import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { TravelClock } from '#protocol/clock/travel-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Fork } from '#protocol/types/execution-config'
import type { JournalEra } from '#protocol/types/journal-era'
import { endsPreconfirmations } from '#protocol/upgrades/schedule'
import { ForkError } from '../fork/fork-error.ts'
import type { RemoteFork } from '../fork/remote-fork.ts'
import type { AccessOptions } from '../json-rpc/guard-access.ts'
import { OpenWork } from '../json-rpc/open-work.ts'
import { portsFrom } from '../ports.ts'
import type { EnclaveKind, Profile } from './devnet-description.ts'
import { DEVNET_DEFAULTS, type DevnetOptions } from './devnet-options.ts'
import { enclaveKinds } from './enclave-kinds.ts'
import { CHAINS, checkedUpgrades, journalEraOf, type UpgradeOptions } from './upgrade-options.ts'
import { usualHistory } from './usual-history.ts'

/** Options with nothing left open. */
export type DevnetSettings = Required<
  Omit<
    DevnetOptions,
    | keyof AccessOptions
    | 'genesisTime'
    | 'enclaves'
    | 'artifacts'
    | 'clock'
    | 'state'
    | 'logsRange'
    | 'builderCodeDb'
    | 'fork'
    | 'upgrades'
    | 'journalEra'
  >
> & {
  fork: Fork
  /** None: the chain of the specification. */
  upgrades: UpgradeOptions
  /** Undefined where there is no schedule to name. */
  journalEra: JournalEra | undefined
  /** The chain that L2 goes on from. */
  remoteFork?: RemoteFork | undefined
  /** The devnet's time. */
  clock: TravelClock
  /** What work takes, and how long processes may: time that nobody moves. */
  machine: Clock
  /** What time waits for before it moves. */
  work: OpenWork
  genesisTime?: number | undefined
  logsRange?: number | undefined
  builderCodeDb?: string | undefined
  artifacts?: string | undefined
  state?: string | undefined
  enclaves: readonly EnclaveKind[]
  access: AccessOptions
}

/**
 * What a devnet is started with, once the defaults are filled in.
 * @throws ForkError FORK_NOT_PROVABLE, FORK_CONFLICT; RollbedError UPGRADES_INVALID
 */
export function devnetSettings(options: DevnetOptions): DevnetSettings {
  const { allowHosts, allowOrigins, genesisTime, clock: _, fork: wanted, ...rest } = options
  const { upgrades: chosen = {}, ...given } = rest
  const upgrades = checkedUpgrades(typeof chosen === 'string' ? CHAINS[chosen] : chosen)
  const remoteFork = typeof wanted === 'object' ? wanted : undefined
  if (remoteFork) checkFork(options)
  const fork = typeof wanted === 'string' ? wanted : DEVNET_DEFAULTS.fork
  const enclaves = remoteFork ? 0 : options.enclaves
  const isManual = options.clock === 'manual'
  const machine = typeof options.clock === 'object' ? options.clock : systemClock
  const work = new OpenWork(machine)
  const start = genesisTime === undefined ? machine.now() : genesisTime * 1000
  const blockTime = options.blockTime ?? DEVNET_DEFAULTS.blockTime
  return {
    ...DEVNET_DEFAULTS,
    ports: portsFrom(0),
    l1BlockTime: blockTime,
    ...(definedOnly(given) as Omit<DevnetOptions, 'enclaves' | 'clock' | 'fork' | 'upgrades'>),
    ...{ fork, remoteFork },
    ...{ upgrades, profile: profileOf(options, upgrades) },
    journalEra: journalEraOf(upgrades, options.journalEra),
    historyBlocks: options.historyBlocks ?? usualHistory(upgrades),
    batchInterval: options.batchInterval ?? usualBatchInterval(options.dataAvailability),
    clock: new TravelClock({ machine, start, isManual, settled: () => work.settled() }),
    machine,
    work,
    enclaves: enclaveKinds(enclaves ?? DEVNET_DEFAULTS.enclaves),
    access: { allowHosts, allowOrigins },
    genesisTime,
  }
}

/**
 * A blob costs the same whether it is full or not, and every proof reads all those of the last 50 L1
 * blocks, some 40 ms each: so there are fewer of them.
 */
function usualBatchInterval(where: DevnetOptions['dataAvailability']): number {
  return DEVNET_DEFAULTS.batchInterval * (where === 'blobs' ? 3 : 1)
}

/** A chain without pre-confirmations answers as deployed nodes do: the specification is not of it. */
function profileOf({ profile }: DevnetOptions, upgrades: UpgradeOptions): Profile {
  if (!endsPreconfirmations(upgrades)) return profile ?? DEVNET_DEFAULTS.profile
  if (profile !== 'spec') return 'base'
  throw new RollbedError(
    'UPGRADES_INVALID',
    "The specification's profile has pre-confirmations, and this chain crosses Denim, which ends them.",
    { hint: 'Leave --profile out: such a chain answers as deployed nodes do.' },
  )
}

/** What does not go together with a chain to go on from. */
function checkFork({ enclaves = 0, actors, state, testnet }: DevnetOptions): void {
  if (actors || enclaveKinds(enclaves).length > 0) {
    throw new ForkError(
      'FORK_NOT_PROVABLE',
      'A fork has no prover: enclaves prove each block against the root of the whole state, and of a fork only what was read is known.',
      {
        hint: 'Leave --enclaves and --actors out, or deploy what you need on a devnet that is no fork.',
      },
    )
  }
  if (!state && !testnet) return
  throw new ForkError(
    'FORK_CONFLICT',
    `A fork has no ${state ? 'folder to live in' : 'second network'}.`,
    {
      hint: `Leave ${state ? '--state' : '--testnet'} out. What was read of the other chain is kept in any case.`,
    },
  )
}

/** An option that is there but undefined asks for the default too. */
const definedOnly = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
