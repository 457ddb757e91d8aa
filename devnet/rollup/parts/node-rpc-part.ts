import { type NodeFaces, type NodeFacesOptions, nodeFaces } from '#devnet/l2/node/rpc/node-faces'
import type { Part } from './part.ts'

/**
 * What the node is asked, at each of its paths. Its link to what runs calls is `workers`: threads in a
 * real devnet, the one thread of a simulated world.
 */
export const nodeRpcPart: Part<never, Omit<NodeFacesOptions, 'clock'>, Promise<NodeFaces>> = {
  name: 'node',
  links: [],
  start: ({ clock }, given) => nodeFaces({ ...given, clock }),
}
