import { hexToBytes } from '@ethereumjs/util'
import { pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { type ProverHostOptions, startProverHost } from '#devnet/proving/prover/start-prover-host'
import type { EnclaveRequest } from '#enclave/wire/messages'
import { l2ChainId } from '#fixtures/chain/constants'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Proposal } from '#protocol/proof/types'
import type { Address, Hex } from '#protocol/types/bytes'
import {
  type Reaction,
  type ScriptedEnclave,
  scriptedEnclave,
} from '../proving/scripted-enclave.ts'
import type { HostChain } from './host-chain.ts'

export interface BenchEnclave extends ScriptedEnclave {
  cid: number
  publicKey: Uint8Array
  /** Lower case. */
  signer: Address
  /** What its proofs carry, so that a test knows who made one. */
  signature: Hex
  /** What it does with each kind of request; may be changed at any time. */
  reactions: Record<EnclaveRequest['kind'], Reaction | Promise<Reaction>>
  kinds(): string[]
}

export interface RunningHost {
  url: string
  metricsUrl: string
  rpc: RpcClient
  /** The value of one time series at the metrics endpoint; undefined when it is not there. */
  metric(series: string): Promise<number | undefined>
  stop(): Promise<void>
}

export type HostOverrides = Partial<ProverHostOptions> & {
  /** Indices of the enclaves behind the host, in its order. Default: all. */
  order?: readonly number[]
}

/** Scripted enclaves on real sockets, a virtual clock, and hosts in front of them. */
export interface HostBench {
  clock: VirtualClock
  enclaves: BenchEnclave[]
  /** Log lines of all hosts, oldest first. */
  logged: Record<string, unknown>[]
  /** Resolves once `count` lines with this message were logged. */
  untilLogged(message: string, count: number): Promise<void>
  start(overrides?: HostOverrides): Promise<RunningHost>
  stop(): Promise<void>
}

const hash = (byte: string) => `0x${byte.repeat(32)}` as const

/** Boots `count` enclaves with CIDs 16, 17, …; the chain's registry and obstacles start afresh. */
export async function hostBench(chain: HostChain, count: number): Promise<HostBench> {
  const resources = new ResourceStack()
  const clock = new VirtualClock()
  const logged: Record<string, unknown>[] = []
  const wake: (() => void)[] = []
  const log = (line: string) => {
    logged.push(JSON.parse(line))
    for (const listener of wake.splice(0)) listener()
  }
  Object.assign(chain.registry, { valid: [], mood: 'up', calls: [] })
  Object.assign(chain, { obstacle: () => undefined, executePayload: undefined })
  chain.calls.length = 0

  const enclaves: BenchEnclave[] = []
  for (let index = 0; index < count; index += 1)
    enclaves.push(resources.add(await benchEnclave(index)))

  return {
    clock,
    enclaves,
    logged,
    async untilLogged(message, count) {
      while (logged.filter(({ msg }) => msg === message).length < count)
        await new Promise<void>((resolve) => wake.push(resolve))
    },
    stop: () => resources.stop(),
    async start({ order = enclaves.map((_, index) => index), ...overrides } = {}) {
      const behind = order.map((index) => enclaves[index]!)
      const host = await startProverHost({
        l1RpcUrl: chain.l1Url,
        l1BeaconUrl: chain.l1Url,
        l2RpcUrl: chain.l2Url,
        chainId: l2ChainId,
        chains: chain.chain.chains,
        listen: { host: '127.0.0.1', port: 0 },
        metricsListen: { host: '127.0.0.1', port: 0 },
        endpoints: new Map(behind.map(({ cid, endpoint }) => [cid, endpoint])),
        registryAddress: chain.registry.address,
        version: '1.2.3',
        clock,
        logger: pino({ level: 'debug', base: null }, { write: log }),
        ...overrides,
      })
      resources.add(host)
      const metric = async (series: string): Promise<number | undefined> => {
        const text = await (await fetch(host.metricsUrl!)).text()
        const line = text.split('\n').find((one) => one.startsWith(`${series} `))
        return line === undefined ? undefined : Number(line.slice(series.length))
      }
      return {
        url: host.url,
        metricsUrl: host.metricsUrl!,
        rpc: httpRpcClient(host.url),
        metric,
        stop: () => host.stop(),
      }
    },
  }
}

async function benchEnclave(index: number): Promise<BenchEnclave> {
  const account = privateKeyToAccount(
    `0x${'00'.repeat(31)}${(index + 1).toString(16).padStart(2, '0')}`,
  )
  const publicKey = hexToBytes(account.publicKey)
  const signature: Hex = `0x${(0xa0 + index).toString(16).repeat(65)}`
  const proposal: Proposal = {
    outputRoot: hash('01'),
    signature,
    l1OriginHash: hash('02'),
    l1OriginNumber: 1n,
    l2BlockNumber: 2n,
    prevOutputRoot: hash('03'),
    configHash: hash('04'),
  }
  const reactions: BenchEnclave['reactions'] = {
    SignerPublicKey: { kind: 'SignerPublicKey', publicKey },
    SignerAttestation: { kind: 'SignerAttestation', document: Uint8Array.of(0x84, index) },
    Prove: {
      kind: 'Prove',
      result: { kind: 'Tee', aggregateProposal: proposal, proposals: [proposal] },
    },
  }
  const enclave = await scriptedEnclave(({ kind }) => reactions[kind])
  return {
    ...enclave,
    cid: 16 + index,
    publicKey,
    signer: account.address.toLowerCase() as Address,
    signature,
    reactions,
    kinds: () => enclave.requests.map(({ kind }) => kind),
  }
}

/** Who signed a ProofResult. */
export function signatureOf(result: unknown): Hex {
  return (result as { Tee: { aggregate_proposal: { signature: Hex } } }).Tee.aggregate_proposal
    .signature
}

/** A promise, and what settles it: holds a scripted enclave until the test lets go. */
export function gate(reaction: Reaction | Promise<Reaction>) {
  const { promise, resolve } = Promise.withResolvers<Reaction>()
  return { promise, open: () => resolve(reaction as Reaction) }
}
