import type { AttributionCodec, LaunchEnclave, LaunchHost } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import type { Level } from '#reports/model'
import type { StartCallerWorld } from './drivers/caller-world.ts'
import type { Driver } from './drivers/driver.ts'
import type { JsonObject } from './matchers/expect-shape.ts'
import type { Draw } from './payloads/effort.ts'
import { retiredBy } from './retired-by.ts'
import type { KnownKind } from './seen/known-answers.ts'
import type { SeenAnswers } from './seen/seen-answers.ts'
import type { Watched } from './seen/watched.ts'
import { CALLER_TARGETS, COMMAND_TARGETS, type Targets } from './targets.ts'
import type { TimeLimit } from './time-limit.ts'
import type { EnclaveClient } from './wire/enclave-client.ts'
import type { HttpClient } from './wire/http-client.ts'
import type { JsonRpcClient } from './wire/json-rpc-client.ts'
import type { Notification, SubscriptionClient } from './wire/subscription-client.ts'

export const AREAS = [
  'envelope',
  'selectors',
  'block',
  'pending',
  'logs',
  'call',
  'simulate',
  'storage',
  'stream',
  'builder-codes',
  'prover',
  'journal',
  'verifier',
  'attestation',
  'enclave',
  'host',
  'proposer',
  'challenger',
  'registrar',
  'client',
  'today',
] as const
export type Area = (typeof AREAS)[number]

/** What must be given for a case to run. `driver` is the module that acts on the chain. */
export type Need = keyof Targets | 'driver'

/**
 * By what a node is judged: the documents to the letter, what Base's nodes did before Denim, or today's chain,
 * on which blocks come every 200 ms.
 */
export const PROFILES = ['spec', 'base', 'today'] as const
export type Profile = (typeof PROFILES)[number]

/** One check of one sentence of the spec. Black box: it knows URLs and the spec. */
export interface ConformanceCase {
  /** `surface.clause.name.nn`; permanent, never reused. */
  id: string
  title: string
  area: Area
  /** Ids of fixtures/rules/rules.yaml. */
  rules: readonly string[]
  /** Default must. A `should` that is not met is non-strict, not a failure. */
  level?: Level
  /** Default all. `base` stands for `today` too, where Denim did not retire what it is about. */
  profiles?: readonly Profile[]
  needs: readonly Need[]
  /** Why the rule matters and how this case shows it. */
  rationale: string
  /** Milliseconds. Default 45,000. */
  timeout?: number
  /** Of a caller: it waits for many blocks of L1 on any machine, and is begun before the others. */
  takesLong?: true
  /** Runs alone, after all others: it changes the chain under their feet. */
  isDisruptive?: true
  /** Runs after all others, disruptive ones too: it judges what the node answered in the whole run. */
  judgesAll?: true
  /** Begun before all cases: it looks at what passes once. */
  opensWith?: Scene<unknown>
  /** Needs the node to be watched from the first case on. */
  watches?: true
  /** What the watch asks for it all the time. */
  asks?: KnownKind
  /** Returns when the rule holds. @throws CaseFailure @throws CaseSetAside */
  run(context: CaseContext): Promise<void>
}

/** What a case may use. Everything it sends is recorded. */
export interface CaseContext extends SceneContext {
  profile: Profile
  clock: Clock
  signal: AbortSignal
  rpc: JsonRpcClient
  /** What `rpc` answered in this run so far, whichever case had asked. */
  seen: SeenAnswers
  /** Likewise, of `prover`. */
  seenProver: SeenAnswers
  /** Likewise, what was said on `ws`. */
  seenStream: SeenAnswers
  /** What streams said while the node was watched, and what was sent for it. */
  watched: Watched
  /** The node configured as test network (RPC-ENV-16). */
  rpcTestnet: JsonRpcClient
  /** A node without pre-confirmations (RPC-ENV-17). */
  rpcPlain: JsonRpcClient
  api: HttpClient
  prover: JsonRpcClient
  l1: JsonRpcClient
  enclave: EnclaveClient
  /** Starts a prover host; it ends with the case. */
  launchHost: LaunchHost
  /** Boots an enclave; it ends with the case. */
  launchEnclave: LaunchEnclave
  /** Boots an enclave in local mode; it ends with the case. */
  launchLocalEnclave: LaunchEnclave
  /** An enclave that a case came to know, by its `unix:PATH:PORT`. */
  enclaveAt(endpoint: string): EnclaveClient
  targets: Targets
  /** JSON-RPC at a URL that a case came to know, such as of a host it started. */
  connectTo(url: string): JsonRpcClient
  hasWebSocket: boolean
  /** Opens a WebSocket; closed when the case ends, or the scene. */
  subscribeTo(onNotification?: (notification: Notification) => void): Promise<SubscriptionClient>
  driver: Driver
  /** Which random payloads are drawn. */
  draw: Draw
  /** Tells what a reader should know though it changes no verdict. */
  note(text: string): void
  /** Keeps in the report what a caller asked somebody else, and what it was answered. */
  overhear(url: string, request: JsonObject, response: JsonObject): void
  /** Starts the world in which a caller is judged; absent where the gate runs without a devnet. */
  startCallerWorld: StartCallerWorld | undefined
  /** What the case may take, or the scene; absent where the node is watched. */
  limit: TimeLimit | undefined
  /** How builder codes are put into calldata. */
  attribution: AttributionCodec
}

const STARTS_PROCESSES: readonly Need[] = COMMAND_TARGETS
const CALLERS: readonly Need[] = CALLER_TARGETS

/** Whether a profile has the rules of a case. */
export function fitsProfile(test: ConformanceCase, profile: Profile): boolean {
  const { profiles } = test
  if (profile !== 'today') return profiles?.includes(profile) ?? true
  if (profiles?.includes('today')) return true
  return (profiles?.includes('base') ?? true) && whyRetired(test) === undefined
}

/** What Denim put in the place of what a case is about; undefined where it still holds. */
export function whyRetired({ id, rules, profiles }: ConformanceCase): string | undefined {
  if (profiles?.includes('today')) return undefined
  return [id, ...rules].map(retiredBy).find((reason) => reason)
}

/** Whether a case starts processes of its own: it waits for a core, others for the chain. */
export function startsProcesses(test: ConformanceCase): boolean {
  return test.needs.some((need) => STARTS_PROCESSES.includes(need))
}

/** Whether a case starts a world of its own, in which somebody is watched who calls a host or a node. */
export function judgesCaller(test: ConformanceCase): boolean {
  return test.needs.some((need) => CALLERS.includes(need))
}

/**
 * Checks nothing; gives the editor the type of a case file's export.
 *
 * @param cases each with an id `surface.clause.name.nn` that is never used again, the ids of the rules
 *   that it shows, and `run`, which returns where they hold
 * @returns the same cases
 * @see CONTRIBUTING.md, "A rule, with its case and its mutant"
 * @example
 * import { CaseFailure, defineCases } from 'rollbed/conform'
 *
 * const cases = defineCases([
 *   {
 *     id: 'rpc.envelope.own-chain-id.01',
 *     title: 'eth_chainId is a quantity',
 *     area: 'envelope',
 *     rules: ['RPC-ENV-12'],
 *     needs: ['rpc'],
 *     rationale: 'Clients compare it with the chain that they sign for.',
 *     async run({ rpc }) {
 *       const actual = await rpc.result('eth_chainId', [])
 *       if (!/^0x[1-9a-f][0-9a-f]*$/.test(String(actual)))
 *         throw new CaseFailure({ at: 'result', expected: 'a quantity', actual })
 *     },
 *   },
 * ])
 * console.log(cases)
 */
export function defineCases(cases: readonly ConformanceCase[]): readonly ConformanceCase[] {
  return cases
}

/**
 * Something several cases look at, brought about once.
 *
 * A `fact` is made through the driver alone (a contract deployed, logs emitted), so it stays true
 * whichever way the target is read, and mutants of one target share it. An `observation` is what
 * the target answered at a moment that passes, such as a pre-confirmed block.
 */
export interface Scene<T> {
  name: string
  kind: 'fact' | 'observation'
  build(context: CaseContext): Promise<T>
}

export interface SceneContext {
  scene<T>(scene: Scene<T>): Promise<T>
}
