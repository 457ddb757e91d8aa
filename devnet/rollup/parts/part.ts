import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OnNews } from '#devnet/base/process/paced-work'
import type { Clock } from '#protocol/clock/clock'

/** The links over which a part asks another by JSON-RPC, and the service that each leads to. */
export const LINKS = {
  'client-l2': 'node',
  'client-l1': 'l1',
  'actor-host': 'host',
  'actor-rollup': 'rollup',
  'actor-l1': 'l1',
  'node-l1': 'l1',
  'safe-head-l1': 'l1',
  'batcher-l1': 'l1',
  'host-l1': 'l1',
  'host-l2': 'node',
  'host-registry': 'l1',
} as const

/** As in the target `link:NAME` of faults. */
export type LinkName = keyof typeof LINKS
export type ServiceName = (typeof LINKS)[LinkName]

/** What a body lets a part stand on for one life. */
export interface PartContext<Link extends LinkName> {
  clock: Clock
  /** By which it looks at L1 again and again. */
  looks: Clock
  /** Where its links lead. */
  links: Readonly<Record<Link, RpcEndpoint>>
  /** Tells of new L1 blocks, where L1 does not wait to be asked. */
  l1News?: OnNews | undefined
}

/**
 * One part of the rollup, which both bodies are made of: processes and sockets, or one thread on a
 * virtual clock. A body says where its links lead and what its clock is, and gives the rest.
 * @typeParam Given what it takes beside its context
 * @typeParam Running what it gives back: something that is stopped, or methods that a body serves
 */
export interface Part<Link extends LinkName, Given, Running> {
  /** As in the target `process:NAME` of faults; parts of one process share it. */
  readonly name: string
  readonly links: readonly Link[]
  start(context: PartContext<Link>, given: Given): Running
}

/** The links of a part, each as a body reaches it. */
export function linksOf<Link extends LinkName, Reached>(
  part: { readonly links: readonly Link[] },
  reach: (link: Link) => Reached,
): Record<Link, Reached> {
  const entries = part.links.map((link) => [link, reach(link)] as const)
  return Object.fromEntries(entries) as Record<Link, Reached>
}
