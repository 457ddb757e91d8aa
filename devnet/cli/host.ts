import { type Command, Option } from 'commander'
import { createLogger, type LogLevel } from '#devnet/base/create-logger'
import type { Profile } from '#devnet/base/options/devnet-description'
import { packageVersion } from '#devnet/base/package-version'
import { HostConfigInvalid } from '#devnet/proving/prover/host-config-invalid'
import { ENCLAVE_PORT, parseEndpoint } from '#enclave/vsock/endpoint'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address } from '#protocol/types/bytes'
import { type AccessFlags, accessFlags, accessOf } from './access-flags.ts'
import { type ListenAddress, listenAddress } from './listen-address.ts'
import { oneOf, url, wholeNumber } from './parse-number.ts'
import { untilSignal } from './until-signal.ts'
import { UsageError } from './usage-error.ts'

interface HostFlags extends AccessFlags {
  l1RpcUrl: string
  l1BeaconUrl: string
  l2RpcUrl: string
  l2ChainId: number
  listen: ListenAddress
  vsockCid: Map<number, string>
  teeProverRegistryAddress?: Address
  proofTimeout: number
  shutdownGrace?: number
  logLevel: LogLevel
  metricsListen?: ListenAddress
  chains?: string
  profile: Profile
  experimentalWitnessEndpoint?: boolean
  json?: boolean
}

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']
const PROFILES: readonly Profile[] = ['spec', 'base']
const UINT32_MAX = 0xffff_ffff
/** Read by hand: to commander any value of a flag's variable, `false` too, means yes. */
const WITNESS_VARIABLE = 'ROLLBED_EXPERIMENTAL_WITNESS_ENDPOINT'

/**
 * `rollbed host`: the prover host alone, in front of any enclaves, L1 and L2 (HOST-CFG-*). Every flag
 * can also be an environment variable, for containers.
 */
export function addHostCommand(program: Command, finish: (exitCode: number) => void): void {
  const required = (option: Option) => option.makeOptionMandatory()
  const httpUrl = (name: string, what: string) =>
    new Option(`${name} <url>`, what).env(variable(name)).argParser(url(name))
  const seconds = (name: string, what: string, min: number) =>
    new Option(`${name} <s>`, what).env(variable(name)).argParser(wholeNumber(name, min, 1_000_000))
  const address = (name: string, what: string) =>
    new Option(`${name} <host:port>`, what).env(variable(name)).argParser(listenAddress(name))

  const command = program
    .command('host')
    .description(
      'Serve proofs: JSON-RPC in front of one or more enclaves, until SIGINT or SIGTERM.',
    )
    .addOption(required(httpUrl('--l1-rpc-url', 'L1 execution JSON-RPC')))
    .addOption(required(httpUrl('--l1-beacon-url', 'L1 beacon API')))
    .addOption(required(httpUrl('--l2-rpc-url', 'L2 execution JSON-RPC')))
    .addOption(
      new Option('--l2-chain-id <id>', 'picks rollup config and config hash; 8453, 84532, --chains')
        .env(variable('--l2-chain-id'))
        .argParser(wholeNumber('--l2-chain-id', 1, Number.MAX_SAFE_INTEGER))
        .makeOptionMandatory(),
    )
    .addOption(required(address('--listen', 'where JSON-RPC and GET /healthz are served')))
    .addOption(
      new Option(
        '--vsock-cid <cid>',
        `an enclave: CID, or CID=unix:PATH:PORT; repeat it or use commas; port ${ENCLAVE_PORT}`,
      )
        .env(variable('--vsock-cid'))
        .argParser(enclaves)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--tee-prover-registry-address <address>',
        'TEEProverRegistry on L1: routes by signer validity, gates health; needed for several CIDs',
      )
        .env(variable('--tee-prover-registry-address'))
        .argParser(contractAddress),
    )
    .addOption(seconds('--proof-timeout', 'for one prover_prove', 1).default(1740))
    .addOption(seconds('--shutdown-grace', 'for proofs in flight (default: proof timeout)', 0))
    .addOption(
      new Option('--log-level <level>', `JSON lines on standard error: ${LOG_LEVELS.join(', ')}`)
        .env(variable('--log-level'))
        .argParser(oneOf('--log-level', LOG_LEVELS))
        .default('info'),
    )
    .addOption(address('--metrics-listen', 'where GET /metrics is served; without it nowhere'))
    .addOption(
      new Option(
        '--chains <file>',
        'rollup.json of further chains: what optimism_rollupConfig says',
      ).env(variable('--chains')),
    )
    .addOption(
      new Option(
        '--profile <name>',
        'spec, or base: as deployed hosts, which sign for nobody where a request has no proposer',
      )
        .env(variable('--profile'))
        .argParser(oneOf('--profile', PROFILES))
        .default('spec'),
    )
    .option(
      '--experimental-witness-endpoint',
      `the L2 node has debug_executePayload: use it (env: ${WITNESS_VARIABLE}=true)`,
    )
    .option('--json', 'print exactly one line of JSON when ready')
    .action(async (flags: HostFlags) => {
      await serve(flags)
      finish(0)
    })
  for (const option of accessFlags()) command.addOption(option.env(variable(option.long!)))
}

async function serve(flags: HostFlags): Promise<void> {
  const signal = untilSignal()
  const host = await start(flags).catch((error: unknown) => {
    throw inWordsOfThisCommand(error)
  })
  try {
    const { url, metricsUrl } = host
    console.log(flags.json ? JSON.stringify({ url, metricsUrl }) : `The prover host serves ${url}`)
    await signal
  } finally {
    await host.stop()
  }
}

function inWordsOfThisCommand(error: unknown): unknown {
  if (error instanceof HostConfigInvalid) return new UsageError(error.message, error.hint)
  if (!(error instanceof RollbedError) || error.code !== 'PORT_BUSY') return error
  const hint = 'Stop what listens there, or choose another port with --listen or --metrics-listen.'
  return new RollbedError('PORT_BUSY', error.message, { hint, cause: error })
}

async function start(flags: HostFlags) {
  const { knownChains } = await import('#devnet/proving/prover/known-chains')
  const { readChainFile } = await import('#devnet/proving/prover/chain-file')
  const { startProverHost } = await import('#devnet/proving/prover/start-prover-host')
  const given = flags.chains ? await readChainFile(flags.chains) : []
  return await startProverHost({
    l1RpcUrl: flags.l1RpcUrl,
    l1BeaconUrl: flags.l1BeaconUrl,
    l2RpcUrl: flags.l2RpcUrl,
    chainId: flags.l2ChainId,
    chains: new Map([...knownChains, ...given]),
    listen: flags.listen,
    endpoints: flags.vsockCid,
    registryAddress: flags.teeProverRegistryAddress,
    proofTimeout: flags.proofTimeout,
    shutdownGrace: flags.shutdownGrace ?? flags.proofTimeout,
    metricsListen: flags.metricsListen,
    executionWitness: flags.experimentalWitnessEndpoint ?? process.env[WITNESS_VARIABLE] === 'true',
    profile: flags.profile,
    version: packageVersion,
    access: accessOf(flags),
    clock: systemClock,
    logger: createLogger(flags.logLevel),
  })
}

/** ROLLBED_ and the flag in capitals. */
function variable(flag: string): string {
  return `ROLLBED_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** Adds one or more `CID` or `CID=ENDPOINT`, separated by commas, in the order of all answers. */
function enclaves(text: string, before: Map<number, string> | undefined): Map<number, string> {
  const endpoints = new Map(before)
  for (const item of text.split(',')) {
    const [, digits, endpoint] = /^(\d+)(?:=(.+))?$/.exec(item) ?? []
    const cid = Number(digits)
    if (!digits || cid > UINT32_MAX)
      throw new UsageError(`--vsock-cid must be a CID or CID=ENDPOINT, not '${item}'.`)
    if (endpoints.has(cid)) throw new UsageError(`--vsock-cid ${cid} is given twice.`)
    endpoints.set(cid, checkedEndpoint(endpoint ?? `vsock:${cid}:${ENCLAVE_PORT}`))
  }
  return endpoints
}

function checkedEndpoint(text: string): string {
  try {
    parseEndpoint(text)
    return text
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function contractAddress(text: string): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
  throw new UsageError(
    `--tee-prover-registry-address must be 0x and 40 hexadecimal digits, not '${text}'.`,
  )
}
