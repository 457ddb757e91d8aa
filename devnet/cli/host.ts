import type { Command } from 'commander'
import { createLogger, type LogLevel } from '#devnet/base/create-logger'
import type { Profile } from '#devnet/base/options/devnet-description'
import { packageVersion } from '#devnet/base/package-version'
import { HostConfigInvalid } from '#devnet/proving/prover/host-config-invalid'
import { ENCLAVE_PORT, parseEndpoint } from '#enclave/vsock/endpoint'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { ACCESS_FLAGS, accessOf } from './access-flags.ts'
import { address } from './actor-flags.ts'
import { addCommand, type CommandTable } from './add-command.ts'
import { type FlagsOf, type FlagTable, longName, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { listenAddress } from './listen-address.ts'
import { oneOf, url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'
import { whileWanted } from './while-wanted.ts'

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']
const UINT32_MAX = 0xffff_ffff
/** Read by hand: to commander any value of a flag's variable, `false` too, means yes. */
const WITNESS_VARIABLE = 'ROLLBED_EXPERIMENTAL_WITNESS_ENDPOINT'

const HOST = {
  name: 'host',
  says: 'Serve proofs: JSON-RPC in front of one or more enclaves, until SIGINT or SIGTERM.',
  flags: {
    ...withVariables({
      l1RpcUrl: value('<url>', 'L1 execution JSON-RPC', url, { isRequired: true }),
      l1BeaconUrl: value('<url>', 'L1 beacon API', url, { isRequired: true }),
      l2RpcUrl: value('<url>', 'L2 execution JSON-RPC', url, { isRequired: true }),
      l2ChainId: value(
        '<id>',
        'picks rollup config and config hash; 8453, 84532, --chains',
        wholeNumber(1),
        { isRequired: true },
      ),
      listen: value('<host:port>', 'where JSON-RPC and GET /healthz are served', listenAddress, {
        isRequired: true,
      }),
      vsockCid: value(
        '<cid>',
        `an enclave: CID, or CID=unix:PATH:PORT; repeat it or use commas; port ${ENCLAVE_PORT}`,
        enclaves,
        { isRequired: true },
      ),
      teeProverRegistryAddress: value(
        '<address>',
        'TEEProverRegistry on L1: routes by signer validity, gates health; needed for several CIDs',
        address,
      ),
      proofTimeout: value('<s>', 'for one prover_prove', wholeNumber(1, 1_000_000), {
        default: 1740,
      }),
      shutdownGrace: value(
        '<s>',
        'for proofs in flight (default: proof timeout)',
        wholeNumber(0, 1_000_000),
      ),
      logLevel: value(
        '<level>',
        `JSON lines on standard error: ${LOG_LEVELS.join(', ')}`,
        oneOf(LOG_LEVELS),
        { default: 'info' },
      ),
      metricsListen: value(
        '<host:port>',
        'where GET /metrics is served; without it nowhere',
        listenAddress,
      ),
      chains: text('<file>', 'rollup.json of further chains: what optimism_rollupConfig says'),
      profile: value(
        '<name>',
        'spec, or base: as deployed hosts, which sign for nobody where a request has no proposer',
        oneOf<Profile>(['spec', 'base']),
        { default: 'spec' },
      ),
    }),
    experimentalWitnessEndpoint: on(
      `the L2 node has debug_executePayload: use it (env: ${WITNESS_VARIABLE}=true)`,
    ),
    json: on('print exactly one line of JSON when ready'),
    ...withVariables(ACCESS_FLAGS),
  },
  examples: [
    'rollbed host --l1-rpc-url http://l1:8545 --l1-beacon-url http://l1:5052 --l2-rpc-url http://l2:8545 --l2-chain-id 8453 --listen 127.0.0.1:8080 --vsock-cid 16',
  ],
} as const satisfies CommandTable

type HostFlags = FlagsOf<typeof HOST.flags>

/**
 * `rollbed host`: the prover host alone, in front of any enclaves, L1 and L2 (HOST-CFG-*). Every flag
 * can also be an environment variable, for containers.
 */
export function addHostCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, HOST).action(async (flags: HostFlags) => {
    await whileWanted((left) => serve(flags, left))
    finish(0)
  })
}

async function serve(flags: HostFlags, left: Promise<unknown>): Promise<void> {
  const host = await start(flags).catch((error: unknown) => {
    throw inWordsOfThisCommand(error)
  })
  try {
    const { url, metricsUrl } = host
    console.log(flags.json ? jsonOf('host', { url, metricsUrl }) : `The prover host serves ${url}`)
    await left
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
    logger: createLogger(flags.logLevel, 'json'),
  })
}

/** The same flags, each with its environment variable: ROLLBED_ and the flag in capitals. */
function withVariables<Flags extends FlagTable>(flags: Flags): Flags {
  const named = Object.entries(flags).map(([name, flag]) => {
    const env = `ROLLBED_${longName(name).slice(2).replaceAll('-', '_').toUpperCase()}`
    return [name, { ...flag, env }]
  })
  return Object.fromEntries(named)
}

/** Adds one or more `CID` or `CID=ENDPOINT`, separated by commas, in the order of all answers. */
function enclaves(name: string) {
  return (list: string, before?: Map<number, string>): Map<number, string> => {
    const endpoints = new Map(before)
    for (const item of list.split(',')) {
      const [, digits, endpoint] = /^(\d+)(?:=(.+))?$/.exec(item) ?? []
      const cid = Number(digits)
      if (!digits || cid > UINT32_MAX)
        throw new UsageError(`${name} must be a CID or CID=ENDPOINT, not '${item}'.`)
      if (endpoints.has(cid)) throw new UsageError(`${name} ${cid} is given twice.`)
      endpoints.set(cid, checkedEndpoint(endpoint ?? `vsock:${cid}:${ENCLAVE_PORT}`))
    }
    return endpoints
  }
}

function checkedEndpoint(text: string): string {
  try {
    parseEndpoint(text)
    return text
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
