import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import { faultyClockOf } from '#devnet/faults/faulty-clock'
import type { ToxicLink } from '#devnet/faults/toxic-link'
import type { Node } from '#devnet/l2/node/start-node'
import type { Clock } from '#protocol/clock/clock'
import { LINKS, type LinkName, linksOf, type PartContext } from '../parts/part.ts'
import { memoryRpcClient } from './network/memory-rpc.ts'
import { Port } from './network/wire.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { WorldGround } from './world-ground.ts'
import { WorldLinks } from './world-links.ts'

/** Seconds between L1 blocks, up to which everybody looks as often as in a real devnet. */
const FREQUENT = 2

/** What the parts of a world share. */
export class WorldContext {
  readonly ground: WorldGround
  readonly links: WorldLinks
  readonly ports = {
    l1: new Port('l1'),
    node: new Port('l2'),
    subscriber: new Port('l2-ws'),
    rollup: new Port('rollup'),
    host: new Port('host'),
    api: new Port('api'),
  }
  readonly #clocks = new Map<string, Clock>()
  /** The node that lives now. */
  node: Node | undefined
  /** What it lives in: who holds its chain ends with it. */
  nodeLife: SimulatedProcess | undefined
  /** What it and its rollup RPC are asked. */
  methods: { node: RpcMethods; rollup: RpcMethods } = { node: {}, rollup: {} }

  constructor(ground: WorldGround) {
    this.ground = ground
    const { clock, faults, options } = ground
    this.links = new WorldLinks({ clock, faults, seed: options.seed })
  }

  /** JSON-RPC from a process to where this link leads. */
  rpc(caller: SimulatedProcess, link: LinkName): RpcClient {
    return memoryRpcClient({ caller, link: this.link(link), port: this.ports[LINKS[link]] })
  }

  /** What a part stands on in a process. */
  contextOf<Link extends LinkName>(
    part: { readonly links: readonly Link[] },
    process: SimulatedProcess,
  ): PartContext<Link> {
    const { clock } = process
    const links = linksOf(part, (link) => this.rpc(process, link))
    return { clock, looks: this.looks(clock), links }
  }

  /** For what looks at L1 again and again: where blocks take long, it looks twice in a block. */
  looks(clock: Clock): Clock {
    const { l1BlockTime } = this.ground.options
    const least = l1BlockTime > FREQUENT ? l1BlockTime * 500 : 0
    return {
      now: () => clock.now(),
      after: (delay, action) => clock.after(Math.max(delay, least), action),
    }
  }

  link(name: string): ToxicLink {
    return this.links.get(name)
  }

  /** A machine's clock, which can be faulted from here on as `clock:NAME`. */
  clockOf(name: string): Clock {
    const known = this.#clocks.get(name)
    if (known) return known
    const { clock, faults } = this.ground
    const faulty = faultyClockOf(faults, name, clock)
    this.#clocks.set(name, faulty)
    return faulty
  }
}
