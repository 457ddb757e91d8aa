import type { Clock } from '../enclave-sim/protocol/clock/clock.ts'
import { systemClock } from '../enclave-sim/protocol/clock/system-clock.ts'
import { TravelClock } from '../enclave-sim/protocol/clock/travel-clock.ts'
import type { EnclaveKind } from './devnet-description.ts'
import { DEVNET_DEFAULTS, type DevnetOptions } from './devnet-options.ts'
import { ForkNotSupported } from './fork-not-supported.ts'
import type { AccessOptions } from './json-rpc/guard-access.ts'
import { OpenWork } from './json-rpc/open-work.ts'
import { portsFrom } from './ports.ts'
import { enclaveKinds } from './start/enclave-kinds.ts'

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
  >
> & {
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
 * @throws ForkNotSupported
 */
export function devnetSettings(options: DevnetOptions): DevnetSettings {
  // Users of anvil or Hardhat may pass the URL of a chain to fork.
  if (typeof options.fork === 'object') throw new ForkNotSupported()
  const { allowHosts, allowOrigins, genesisTime, enclaves, clock: _, ...told } = options
  const isManual = options.clock === 'manual'
  const machine = typeof options.clock === 'object' ? options.clock : systemClock
  const work = new OpenWork(machine)
  const start = genesisTime === undefined ? machine.now() : genesisTime * 1000
  const blockTime = options.blockTime ?? DEVNET_DEFAULTS.blockTime
  return {
    ...DEVNET_DEFAULTS,
    ports: portsFrom(0),
    l1BlockTime: blockTime,
    ...(definedOnly(told) as Omit<DevnetOptions, 'enclaves' | 'clock'>),
    clock: new TravelClock({ machine, start, isManual, settled: () => work.settled() }),
    machine,
    work,
    enclaves: enclaveKinds(enclaves ?? DEVNET_DEFAULTS.enclaves),
    access: { allowHosts, allowOrigins },
    genesisTime,
  }
}

/** An option that is there but undefined asks for the default too. */
const definedOnly = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
