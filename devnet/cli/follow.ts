import type { Command } from 'commander'
import { createLogger } from '#devnet/base/create-logger'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { executionRules } from '#protocol/derivation/execution-rules'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, orNone, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import type { FollowResult } from './json-outputs.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'
import { whileWanted } from './while-wanted.ts'

/** Blocks between two lines of progress. */
const PROGRESS = 100n

const FOLLOW = {
  name: 'follow',
  says: 'Derive and execute the L2 chain from L1 alone, and compare every block.',
  flags: {
    l1: value('<url>', 'L1 RPC', url),
    beacon: value('<url>', 'L1 beacon API, for blobs', url),
    rollup: value('<url>', 'rollup node RPC, asked for its configuration', url),
    rollupConfig: text('<file>', 'a rollup.json in place of --rollup'),
    against: orNone(value('<url>', 'L2 RPC to compare with', url), 'compare with nobody'),
    port: value(
      '<n>',
      'port to serve the derived chain on; 0: a free one',
      wholeNumber(0, 65_535),
      {
        default: 0,
      },
    ),
    to: value('<block>', 'end after this block', wholeNumber(1)),
    json: on('print one line of JSON at the end'),
  },
  examples: ['rollbed follow', 'rollbed follow --to 100 --json'],
} as const satisfies CommandTable

type FollowFlags = FlagsOf<typeof FOLLOW.flags>

/** `rollbed follow`: derives the chain from L1 alone, serves it, and compares it with another node's. */
export function addFollowCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, FOLLOW).action(async (flags: FollowFlags) => {
    finish(await whileWanted((left) => follow(flags, left)))
  })
}

async function follow(flags: FollowFlags, left: Promise<unknown>): Promise<number> {
  const { rollupConfig, ...endpoints } = endpointsOf(flags)
  const { beaconUrl, l1RpcUrl, againstUrl } = endpoints
  const { startFollower } = await import('#devnet/l2/follower/start-follower')
  const { compareChains } = await import('#devnet/l2/follower/compare-chains')
  const { startNodeRpc } = await import('#devnet/l2/node/rpc/start-node-rpc')
  const { blobSource } = await import('#devnet/l1/blobs/blob-source')
  const { beaconClient } = await import('#devnet/l1/blobs/beacon-client')
  const { createKzg } = await import('#devnet/l1/blobs/kzg')
  const { KZG_CACHE, keptPoints } = await import('#devnet/l1/blobs/kept-points')
  const config = await rollupConfig()
  const genesis = await genesisOf(config)
  const abort = new AbortController()
  left.then(() => abort.abort())
  const resources = new ResourceStack()
  try {
    const kzg = resources.add(createKzg(keptPoints(KZG_CACHE)))
    const { chain } = resources.add(
      await startFollower({
        config,
        genesis: genesis.block,
        store: genesis.store,
        l1RpcUrl,
        blobs: beaconUrl === undefined ? undefined : blobSource(beaconClient(beaconUrl), kzg),
        clock: systemClock,
        logger: createLogger('warn'),
      }),
    )
    const server = resources.add(
      await startNodeRpc({
        chain,
        config: executionRules(config),
        clock: systemClock,
        port: flags.port,
        preconfirmations: false,
        blockTime: config.blockTime,
      }),
    )
    console.error(`Following ${l1RpcUrl}; the derived chain is at ${server.url}`)
    let compared = 0n
    const difference = await compareChains({
      ours: chain,
      theirs: againstUrl === undefined ? undefined : httpRpcClient(againstUrl),
      clock: systemClock,
      lastBlock: flags.to === undefined ? undefined : BigInt(flags.to),
      signal: abort.signal,
      onSame({ header: { number } }) {
        compared = number
        if (number % PROGRESS === 0n) console.error(`Block ${number} is derived`)
      },
    })
    const result: FollowResult = {
      safe: { number: chain.safe().header.number, hash: chain.safe().hash },
      finalized: chain.finalized().header.number,
      against: againstUrl ?? null,
      compared: againstUrl === undefined ? 0n : compared,
      difference: difference ?? null,
    }
    console.log(flags.json ? jsonOf('follow', result) : sentence(result))
    return difference ? ExitCode.failed : ExitCode.ok
  } finally {
    await resources.stop()
  }
}

function sentence({ safe, against, compared, difference }: FollowResult): string {
  if (difference) {
    const { number, field, ours, theirs } = difference
    const values = `derived ${JSON.stringify(ours, plain)}, there ${JSON.stringify(theirs, plain)}`
    return `Block ${number} of ${against} differs in ${field}: ${values}`
  }
  const same = against === null ? '' : `; up to block ${compared} ${against} has the same`
  return `Derived ${safe.number} blocks from L1${same}`
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

/** URLs as given, or those of the devnet that was started in this folder. */
function endpointsOf({ l1, beacon, rollup, rollupConfig, against }: FollowFlags) {
  const isComplete = l1 && (rollup ?? rollupConfig) && against !== undefined
  const devnet = isComplete ? undefined : readDevnetFile()
  return {
    l1RpcUrl: l1 ?? devnet!.l1RpcUrl,
    beaconUrl: beacon ?? devnet?.l1BeaconUrl,
    againstUrl: against === false ? undefined : (against ?? devnet?.rpcUrl),
    rollupConfig: () =>
      rollupConfig ? readConfig(rollupConfig) : askForConfig(rollup ?? devnet!.rollupRpcUrl),
  }
}

async function readConfig(file: string): Promise<RollupConfig> {
  const { readChainFile } = await import('#devnet/proving/prover/chain-file')
  const [config] = (await readChainFile(file)).values()
  if (config) return config
  throw new UsageError(`--rollup-config ${file} names no chain.`)
}

async function askForConfig(rollupUrl: string): Promise<RollupConfig> {
  const { parseChains } = await import('#devnet/proving/prover/chain-file')
  const answer = await httpRpcClient(rollupUrl).request('optimism_rollupConfig', [])
  const [config] = parseChains(JSON.stringify(answer), rollupUrl).values()
  return config!
}

/**
 * The L2 genesis state is made again, as every devnet makes it: nothing of it is asked of a node.
 * @throws GENESIS_UNKNOWN
 */
async function genesisOf(config: RollupConfig) {
  const { rollupGenesis } = await import('#devnet/rollup/genesis/rollup-genesis')
  const { l1ContractAddresses } = await import('#devnet/l1/l1-contract-addresses')
  const { l1, l2, l2Time, systemConfig } = config.genesis
  const genesis = await rollupGenesis({
    systemConfig,
    l2ChainId: config.l2ChainId,
    l1Start: { ...l1, number: BigInt(l1.number), timestamp: l2Time },
    contracts: l1ContractAddresses(roleKeys.deployer.address),
    fork: config.fork,
    blockTime: config.blockTime,
    ...(config.upgrades && { upgrades: config.upgrades }),
  })
  if (genesis.block.hash === l2.hash) return genesis
  throw new RollbedError(
    'GENESIS_UNKNOWN',
    `The chain begins with ${l2.hash}, and a devnet of this version with ${genesis.block.hash}.`,
    { hint: 'Only chains of rollbed devnets of the same version can be followed.' },
  )
}
