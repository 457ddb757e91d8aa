import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { createChallenger } from '#devnet/actors/challenger/create-challenger'
import { intervalsFrom } from '#devnet/actors/game-rules'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { ChainName } from '#devnet/base/options/upgrade-options'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { gameType, predeploys } from '#fixtures/chain/constants'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { systemRng } from '#protocol/random/rng'
import type { Address, Hash } from '#protocol/types/bytes'
import { register } from './forge-game.ts'
import { mineAt } from './l1-time.ts'
import { switchImplementation } from './new-implementation.ts'
import { createScenarioContext, player } from './scenario-context.ts'
import { scenarios } from './scenarios.ts'
import { type AttestationFault, serveAttestingHost } from './serve-attesting-host.ts'

/** A devnet for one caller that is judged. */
export interface CallerWorld extends AsyncDisposable {
  description: DevnetDescription
  /** One of the named situations. @throws RollbedError NO_SUCH_SCENARIO */
  play(name: string): Promise<Record<string, unknown>>
  /** Somebody else nullifies the first game with a wrong root. */
  dispute(): Promise<void>
  /** Puts a fault on the world. Returns what ends it. @throws RollbedError TARGET_UNKNOWN, FAULT_UNKNOWN, FAULT_INVALID */
  fault(
    target: string,
    name: string,
    parameters?: Record<string, unknown>,
  ): Promise<() => Promise<void>>
  /** The registry holds this key valid, for the image of new games. Returns that image's hash. */
  admit(signer: Address): Promise<Hash>
  /** Of the enclaves that a registrar sees. */
  attestWith(index: number, fault: AttestationFault): Promise<void>
}

export type CallerKind = 'proposer' | 'challenger' | 'registrar' | 'client'

const QUIET = {
  blockTime: 1,
  l1BlockTime: 1,
  batchInterval: 100,
  logLevel: 'silent',
  // Nobody registers anything: a file would have to be written to the disk, 80 ms for each world.
  builderCodeDb: ':memory:',
} as const

/**
 * A devnet in which somebody may be watched: for a proposer and a challenger with ten safe L2 blocks, a
 * withdrawal in the first, and a prover host; for a registrar with one whose attestations may lie, for a client
 * without either.
 * @param chain by name, as `rollbed up --chain`; default: blocks of two seconds
 * @throws RollbedError NO_SUCH_SCENARIO; `play` does
 */
export async function startCallerWorld(kind: CallerKind, chain?: ChainName): Promise<CallerWorld> {
  const resources = new ResourceStack()
  try {
    return await startWith(resources, kind, chain)
  } catch (error) {
    await resources.stop()
    throw error
  }
}

async function startWith(
  resources: ResourceStack,
  kind: CallerKind,
  chain: ChainName | undefined,
): Promise<CallerWorld> {
  const isAttested = kind === 'registrar'
  const isProving = kind === 'proposer' || kind === 'challenger'
  const devnet = resources.add(
    await startDevnet({
      ...{ ...QUIET, manual: true, faults: true, enclaves: isProving ? 1 : 0 },
      ...(chain && { upgrades: chain }),
    }),
  )
  const host = isAttested ? await serveAttestingHost(systemClock, systemRng) : undefined
  if (host) resources.add(host)
  const description: DevnetDescription = {
    ...devnet.description,
    ...(host && { proverUrl: host.url, attestationRoot: bytesToHex(host.root) }),
  }
  const logger = pino({ level: 'silent' })
  const context = createScenarioContext({ ...description, clock: systemClock, logger })
  // As on any chain: the enclaves that run are of the image that new games ask for.
  if (host) await switchImplementation(context, { teeImageHash: host.imageHash })
  if (isProving) {
    await withdraw(devnet)
    // As many as a game covers.
    const { blockInterval } = await intervalsFrom(context.l1, await context.rules(), 0n)
    for (let block = 0n; block < blockInterval; block += 1n) await devnet.node.seal()
    await postAtOnce(devnet)
    await context.untilSafe(blockInterval)
    // They were sealed faster than time goes: since blocks are of 200 ms, no game takes what L1's time has not come to.
    const { timestamp } = devnet.node.chain.latest().header
    if (chain) await mineAt(context.rpc, timestamp + 1n)
  }
  return {
    description,
    async play(name) {
      const scenario = scenarios.find((each) => each.name === name)
      if (!scenario) throw new RollbedError('NO_SUCH_SCENARIO', `There is no situation '${name}'.`)
      return JSON.parse(JSON.stringify(await scenario.play(context), withoutBigints))
    },
    async dispute() {
      const challenger = createChallenger({
        l1: context.rpc,
        l2: httpRpcClient(description.rpcUrl),
        prover: httpRpcClient(description.proverUrl),
        wallet: context.wallet(player),
        factory: description.contracts.disputeGameFactory,
        gameType,
        clock: systemClock,
        logger,
      })
      await challenger.round()
    },
    async fault(target, name, parameters) {
      const { id } = await devnet.faults!.inject(target, name, parameters)
      return async () => {
        await devnet.faults!.clear(id)
      }
    },
    async admit(signer) {
      const { teeImageHash } = await context.rules()
      await register(context, signer, teeImageHash)
      return teeImageHash
    },
    async attestWith(index, fault) {
      host?.attestWith(index, fault)
    },
    [Symbol.asyncDispose]: () => resources.stop(),
  }
}

/** Somebody withdraws in the first block: an output root holds the storage root of withdrawals, which is another then. */
async function withdraw({ description, node }: Devnet): Promise<void> {
  const signed = await privateKeyToAccount(player.privateKey).signTransaction({
    ...{ chainId: description.chainId, nonce: 0, to: predeploys.l2ToL1MessagePasser, value: 1n },
    ...{ gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n },
  })
  await node.chain.submit(hexToBytes(signed))
  await node.flashblock()
}

/** Milliseconds that a batch takes to L1, about, and L1's news to the node. */
const ON_ITS_WAY = 50
/** Looks for what is safe by then, before somebody waits who looks twice a second. */
const LOOKS = 20

/** L1 has the batches of what was sealed as soon as it can: by its own pace each step would take a second. */
async function postAtOnce({ batcher, l1, node: { chain } }: Devnet): Promise<void> {
  const posted = batcher.flush().then(() => true)
  const soon = () => sleep(systemClock, ON_ITS_WAY).then(() => false)
  while (!(await Promise.race([posted, soon()]))) await l1.mine()
  const isSafe = () => chain.safe().header.number === chain.latest().header.number
  for (let looks = 0; looks < LOOKS && !isSafe(); looks += 1) await soon()
}

function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
