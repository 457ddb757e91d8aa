import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OpenWork } from '#devnet/base/json-rpc/open-work'
import type { FaultLines } from '#devnet/faults/fault-lines'
import { LINKS, type LinkName, linksOf, type ServiceName } from '../parts/part.ts'

/** Where the links of a real devnet lead: over HTTP, and through proxies where it takes faults. */
export class RealLinks {
  readonly #lines: FaultLines
  readonly #work: OpenWork
  readonly #services = new Map<ServiceName, string>()
  readonly #urls = new Map<LinkName, Promise<string>>()

  constructor(options: { lines: FaultLines; work: OpenWork }) {
    this.#lines = options.lines
    this.#work = options.work
  }

  /** A service is up: links may lead there from here on. */
  lead(service: ServiceName, url: string): void {
    this.#services.set(service, url)
  }

  /** This link has its proxy before the service, for whoever asks over it. */
  front(link: LinkName, url: string): void {
    this.#urls.set(link, Promise.resolve(url))
  }

  /** The same for all who ask over one link. */
  url(link: LinkName): Promise<string> {
    const known = this.#urls.get(link)
    if (known) return known
    const service = this.#services.get(LINKS[link])
    if (service === undefined)
      throw new Error(`${LINKS[link]} is asked over ${link} before it is up`)
    const through = this.#lines.through(`link:${link}`, service)
    this.#urls.set(link, through)
    return through
  }

  /** What a part asks is open work until it is answered. */
  async of<Link extends LinkName>(part: {
    readonly links: readonly Link[]
  }): Promise<Record<Link, RpcClient>> {
    const urls = new Map<LinkName, string>()
    for (const link of part.links) urls.set(link, await this.url(link))
    return linksOf(part, (link) => this.#work.client(urls.get(link)!))
  }
}
