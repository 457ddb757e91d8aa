import { dirname, join } from 'node:path'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { CallerKind, Profile, Targets } from '#suites/gate/conformance/index'
import {
  describesRunning,
  devnetFile,
  ENCLAVE_FOLDER,
  LOCAL_ENCLAVE_FOLDER,
  readDevnetFile,
} from './devnet-file.ts'
import { UsageError } from './usage-error.ts'

/** Sends from the ten accounts of the test mnemonic: for devnets, ours or another. */
export const BUILT_IN_DRIVER = 'devnet'
/** Ours, where a command is asked for: of the devnet of this folder, or a caller. */
const BUILT_IN_COMMAND = 'devnet'

interface JudgeFlags extends Targets {
  driver?: string
  profile?: Profile
}

interface Judged {
  targets: Targets
  driverName: string | undefined
  profile: Profile
}

/**
 * The URLs as given; without any, all that answers in the devnet that was started in this folder. Commands
 * are judged beside that, and never instead of it. Callers are judged in worlds of their own: where no
 * devnet runs here, and commands are given, these alone.
 * @throws RollbedError NO_DEVNET, USAGE
 */
export async function whatToJudge(flags: JudgeFlags): Promise<Judged> {
  const { rpc, rpcPlain, rpcTestnet, ws, api, prover, l1, l1Beacon, enclave } = flags
  const urls = withoutAbsent({ rpc, rpcPlain, rpcTestnet, ws, api, prover, l1, l1Beacon, enclave })
  const commands = withoutAbsent({
    host: await commandOf(flags.host, ownHost),
    enclaveCommand: await commandOf(flags.enclaveCommand, ownEnclave),
    localEnclaveCommand: await commandOf(flags.localEnclaveCommand, ownLocalEnclave),
    ...(await callerCommands(flags)),
  })
  const contracts = withoutAbsent({ teeVerifier: flags.teeVerifier })
  const isGiven = Object.keys(urls).length > 0
  const alone = Object.keys(commands).length > 0 && !(await describesRunning(devnetFile()))
  if (isGiven || alone) {
    const targets: Targets = { ...urls, ...contracts, ...commands }
    return { targets, driverName: flags.driver, profile: flags.profile ?? 'spec' }
  }
  const { devnetTargets } = await import('./devnet-targets.ts')
  const devnet = readDevnetFile()
  return {
    targets: {
      ...devnetTargets(devnet),
      ...contracts,
      ...commands,
      host: commands.host ?? (await ownHost()),
      enclaveCommand: commands.enclaveCommand ?? (await ownEnclave()),
      localEnclaveCommand: commands.localEnclaveCommand ?? (await ownLocalEnclave()),
    },
    driverName: flags.driver ?? BUILT_IN_DRIVER,
    profile: flags.profile ?? profileOf(devnet),
  }
}

/** A chain that has blocks of 200 ms, or comes to them, is judged as one of today. */
function profileOf({ profile, upgrades }: DevnetDescription): Profile {
  const { denim = 'never' } = upgrades ?? {}
  return denim === 'never' ? profile : 'today'
}

async function commandOf(
  given: string | undefined,
  own: () => Promise<string>,
): Promise<string | undefined> {
  return given === BUILT_IN_COMMAND ? await own() : given
}

/** Ours are run by a command like any other. */
async function callerCommands(flags: Targets): Promise<Pick<Targets, CallerKind>> {
  const { ownCallerCommand } = await import('./own-caller-command.ts')
  const { proposer, challenger, registrar, client } = flags
  if (client === BUILT_IN_COMMAND)
    throw new UsageError(
      "--client has no 'devnet': a devnet runs no client of its own. Give a command.",
    )
  const command = (kind: Exclude<CallerKind, 'client'>, given: string | undefined) =>
    given === BUILT_IN_COMMAND ? ownCallerCommand(kind) : given
  return withoutAbsent({
    proposer: command('proposer', proposer),
    challenger: command('challenger', challenger),
    registrar: command('registrar', registrar),
    client,
  })
}

async function ownHost(): Promise<string> {
  const { devnetHostCommand } = await import('./devnet-targets.ts')
  return devnetHostCommand(readDevnetFile(), dirname(devnetFile()))
}

async function ownEnclave(): Promise<string> {
  const { devnetEnclaveCommand } = await import('./devnet-enclave-command.ts')
  return devnetEnclaveCommand(join(dirname(devnetFile()), ENCLAVE_FOLDER))
}

async function ownLocalEnclave(): Promise<string> {
  const { devnetLocalEnclaveCommand } = await import('./devnet-enclave-command.ts')
  const folder = join(dirname(devnetFile()), LOCAL_ENCLAVE_FOLDER)
  return devnetLocalEnclaveCommand(readDevnetFile(), folder)
}

function withoutAbsent(targets: { [name in keyof Targets]: string | undefined }): Targets {
  return Object.fromEntries(Object.entries(targets).filter(([, value]) => value))
}
