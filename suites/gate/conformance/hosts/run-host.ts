import type { HostFlags, HostProcess } from '#mocks/index'
import { cannotJudge } from '../case-failure.ts'
import type { CaseContext, Need } from '../conformance-case.ts'
import { expectThat } from '../matchers/expect-equal.ts'
import { expectString } from '../matchers/expect-shape.ts'
import { type JsonRpcClient, judgeNoAnswer, type RpcReply } from '../wire/json-rpc-client.ts'
import { tooLate } from '../wire/start-in-turn.ts'

/** What a case that starts a prover host needs. */
export const HOST_NEEDS: readonly Need[] = ['host', 'rpc', 'l1', 'l1Beacon']
/** Milliseconds for a case that starts hosts: they start a few at a time, so most wait first. */
export const HOST_TIMEOUT = 120_000
/** CID of the first enclave; the others follow. */
const FIRST_CID = 16

export interface HostSetup {
  /** `unix:PATH:PORT`, in the order of the flags. */
  enclaves: readonly string[]
  /** Default: the target's L1. */
  l1?: string
  /** Default: the target's L1 beacon API. */
  l1Beacon?: string
  /** Default: the target's L2. */
  l2?: string
  /** Default: that of the target. */
  chainId?: string
  registry?: string
  /** Flags left out, by name. */
  without?: readonly string[]
  /** Flags besides. */
  more?: HostFlags
}

/** Flags of a host in front of some enclaves, as `rollbed host` calls them. */
export async function hostFlags(t: CaseContext, setup: HostSetup): Promise<HostFlags> {
  const { rpc, l1, l1Beacon } = t.targets
  const own = async () => expectString(await t.rpc.result('eth_chainId'), 'eth_chainId')
  const chainId = setup.chainId ?? String(Number(await own()))
  const flags: HostFlags = [
    ['--l1-rpc-url', setup.l1 ?? l1!],
    ['--l1-beacon-url', setup.l1Beacon ?? l1Beacon!],
    ['--l2-rpc-url', setup.l2 ?? rpc!],
    ['--l2-chain-id', chainId],
    ['--listen', '127.0.0.1:0'],
    ...setup.enclaves.map(
      (endpoint, index) => ['--vsock-cid', `${FIRST_CID + index}=${endpoint}`] as const,
    ),
    ...(setup.registry ? [['--tee-prover-registry-address', setup.registry] as const] : []),
    ...(setup.more ?? []),
  ]
  return flags.filter(([flag]) => !setup.without?.includes(flag))
}

export interface RunningHost extends HostProcess {
  url: string
  rpc: JsonRpcClient
}

/** A host that serves. @throws CaseFailure when it ends instead; CaseSetAside when it does neither */
export async function startHost(t: CaseContext, setup: HostSetup): Promise<RunningHost> {
  const host = await t.launchHost(await hostFlags(t, setup))
  const { url, state } = host
  if (state === 'late') tooLate('host')
  expectThat(url !== undefined, 'a host that listens', host.output().slice(-500), 'host')
  return Object.assign(host, { url, rpc: t.connectTo(url) })
}

/**
 * Ends a scene without a verdict where its host gave somebody up, by its log or by an answer. Enclaves and registry are
 * the gate's own there, and answer late only where the machine is busy.
 * @throws CaseSetAside
 */
export function judgePatience(host: RunningHost, replies: Iterable<RpcReply> = []): void {
  for (const reply of replies) judgeNoAnswer(reply)
  const line = host
    .output()
    .split('\n')
    .find((each) => /timed out/i.test(each))
  if (!line) return
  const said = line.slice(0, 200)
  cannotJudge(`The host gave somebody up at a time limit: ${said}. Is its machine busy?`)
}

/** Runs `use` and stops what it was given, whatever happens: where one does not start, the others, too. */
export async function using<T extends { stop(): Promise<void> }, R>(
  resources: readonly Promise<T>[],
  use: (resources: T[]) => Promise<R>,
): Promise<R> {
  const settled = await Promise.allSettled(resources)
  const started = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  try {
    return await use(await Promise.all(resources))
  } finally {
    await Promise.all(started.map((each) => each.stop()))
  }
}
