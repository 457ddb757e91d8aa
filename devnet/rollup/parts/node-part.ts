import type { EffectsOn } from '#devnet/faults/fault-effects'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import { FaultyDisk } from '#devnet/faults/faulty-disk'
import { type Node, type StartNodeParameters, startNode } from '#devnet/l2/node/start-node'
import type { RollupGenesis } from '../genesis/rollup-genesis.ts'
import type { Part } from './part.ts'

export interface NodeGiven
  extends Omit<
    StartNodeParameters,
    'config' | 'genesis' | 'store' | 'l1RpcUrl' | 'l1News' | 'l1View' | 'clock' | 'l1Clock'
  > {
  genesis: RollupGenesis
}

/** The L2 node with its sequencer, before anybody can ask it. */
export const nodePart: Part<'node-l1', NodeGiven, Promise<Node>> = {
  name: 'node',
  links: ['node-l1'],
  start: ({ clock, looks, links, l1News }, { genesis, ...more }) =>
    startNode({
      ...more,
      ...{ config: genesis.config, genesis: genesis.block, store: genesis.store },
      ...{ l1RpcUrl: links['node-l1'], l1News, clock, l1Clock: looks },
    }),
}

/**
 * The disk under the node's blocks, which can go wrong from here on.
 * @param own what this body can bring about besides
 */
export function faultyStateDisk(engine: FaultEngine, own: EffectsOn<'disk'> = {}): FaultyDisk {
  const disk = new FaultyDisk()
  engine.register('disk:state', { ...disk.effects, ...own })
  return disk
}
