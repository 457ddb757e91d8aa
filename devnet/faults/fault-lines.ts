import { join } from 'node:path'
import type { OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import { formatEndpoint, parseEndpoint } from '#enclave/vsock/endpoint'
import { type Clock, sleep } from '#protocol/clock/clock'
import { type Rng, seededRng } from '#protocol/random/rng'
import type { FaultEngine } from './fault-engine.ts'
import { type SocketAddress, startToxicProxy } from './start-toxic-proxy.ts'
import { ToxicLink } from './toxic-link.ts'

/** As in FAULT_TARGETS. */
type LinkTarget = `link:${string}`

interface Served extends OwnedResource {
  url: string
  wsUrl?: string
}

export interface ServeOptions<T extends Served> {
  /** Name of the link between the callers and the service. */
  link: LinkTarget
  /** Name of a second link, for connections that become WebSockets. */
  socketLink?: LinkTarget
  /** Name of the service as a process that can be killed, where it is one. */
  process?: `process:${string}`
  host: string
  /** Where callers come; 0 for a free one. */
  port: number
  service: string
  /** Starts it on a port, 0 for a free one; again where it is restarted. */
  start(port: number): Promise<T>
}

/** How the parts of a devnet reach each other: as they are, or through links that take faults. */
export interface FaultLines {
  /** The URL through which a caller reaches this one. */
  through(link: LinkTarget, url: string): Promise<string>
  /** The same for an enclave's endpoint. */
  throughEndpoint(link: LinkTarget, endpoint: string): Promise<string>
  /**
   * Starts a service where callers come. What it gives back stops all of it; `directUrl` leads past
   * the proxy.
   */
  serve<T extends Served>(options: ServeOptions<T>): Promise<T & { directUrl: string }>
}

/** Links without proxies, for a devnet that takes no faults. */
export const plainLines: FaultLines = {
  through: async (_, url) => url,
  throughEndpoint: async (_, endpoint) => endpoint,
  async serve({ port, start }) {
    const running = await start(port)
    return { ...running, directUrl: running.url }
  },
}

const LOOPBACK = '127.0.0.1'
/** Milliseconds that a service which was killed stays away. */
const RESTART_PAUSE = 200

/** Puts a toxic proxy on every line, and tells the engine of it. */
export function faultyLines(options: {
  engine: FaultEngine
  clock: Clock
  seed: number
  /** For sockets. */
  workDir: string
  resources: ResourceStack
}): FaultLines {
  const { engine, clock, workDir, resources } = options
  const newLink = (name: LinkTarget): ToxicLink => {
    const rng: Rng = seededRng(`${options.seed}:${name}`)
    const link = new ToxicLink({ clock, rng })
    engine.register(name, link.effects)
    return link
  }
  return {
    async through(name, url) {
      const target = addressOf(url)
      const listen = { host: LOOPBACK, port: 0 }
      const proxy = await startToxicProxy({
        link: newLink(name),
        listen,
        target: () => target,
        service: name,
      })
      resources.add(proxy)
      return url.replace(/(?<=\/\/)[^/]+/, `${LOOPBACK}:${proxy.port}`)
    },
    async throughEndpoint(name, endpoint) {
      const parsed = parseEndpoint(endpoint)
      // No proxy stands between a host and the kernel's own vsock.
      if (parsed.kind !== 'unix') return endpoint
      const path = join(workDir, `${name.replaceAll(/[^\w.-]/g, '-')}.sock`)
      const target = { path: parsed.path }
      const proxy = await startToxicProxy({
        link: newLink(name),
        listen: { path },
        target: () => target,
        service: name,
      })
      resources.add(proxy)
      return formatEndpoint({ ...parsed, path })
    },
    async serve({ link: name, socketLink, process, host, port, service, start }) {
      let running = await start(0)
      const link = newLink(name)
      const proxy = await startToxicProxy({
        link,
        ...(socketLink && { socketLink: newLink(socketLink) }),
        listen: { host, port },
        target: () => addressOf(running.url),
        service,
      }).catch(async (error) => {
        await running.stop()
        throw error
      })
      let restarting: Promise<void> = Promise.resolve()
      let isStopped = false
      const restart = async (pause: number) => {
        const comeBack = link.add('down')
        try {
          await running.stop()
          await sleep(clock, pause)
          if (!isStopped) running = await start(0)
        } finally {
          comeBack()
        }
      }
      if (process) {
        const startAgain = async (pause = RESTART_PAUSE) => {
          // One that failed is told to who asked for it; the next may succeed.
          restarting = restarting.catch(() => {}).then(() => restart(pause))
          await restarting
          return undefined
        }
        engine.register(process, {
          kill: () => startAgain(),
          restart: () => startAgain(),
          slow_start: ({ delay }) => startAgain(delay),
        })
      }
      const url = withPort(running.url, proxy.port)
      const stop = async () => {
        isStopped = true
        await restarting.catch(() => {})
        await proxy.stop()
        await running.stop()
      }
      const served = { ...running, url, directUrl: running.url, stop }
      return running.wsUrl ? { ...served, wsUrl: withPort(running.wsUrl, proxy.port) } : served
    },
  }
}

function addressOf(url: string): SocketAddress {
  const { hostname, port } = new URL(url)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) }
}

function withPort(url: string, port: number): string {
  return url.replace(/:\d+(?=\/|$)/, `:${port}`)
}
