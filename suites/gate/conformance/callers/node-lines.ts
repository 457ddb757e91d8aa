import type { RpcCall } from '#mocks/index'
import type { CaseContext } from '../conformance-case.ts'
import type { CallerKind, CallerWorld } from '../drivers/caller-world.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { AnswerLost, listenTo, type Spoilt } from './listen-to.ts'

/** What a node says to a call, by `result` or `error`; undefined leaves it to the node. */
type NodeAnswer = (call: RpcCall) => Promise<JsonObject | undefined> | undefined
export interface NodeAnswers {
  l2?: NodeAnswer
  rollup?: NodeAnswer
}

/** What a caller is told by the nodes of its L2. */
export interface NodeLines {
  /**
   * From now on it is answered so in the stead of L2 and of the rollup node, over HTTP; what is left undefined they
   * answer themselves. @returns what ends that
   */
  answerFor(nodes: NodeAnswers): () => void
  /** From now on HTTP connections to L2 are closed without an answer. @returns what ends that */
  cutHttp(): () => void
}

export interface NodeLinesOptions {
  kind: CallerKind
  world: CallerWorld
  begin: (call: RpcCall) => void
  spoilt: () => Spoilt | undefined
}

/** Opens lines to the nodes of L2 that a caller of this kind asks; `urls`: what its description says of them. */
export async function openNodeLines(
  { clock }: CaseContext,
  { kind, world, begin, spoilt }: NodeLinesOptions,
): Promise<{ urls: Record<string, string>; lines: NodeLines; stop(): Promise<void> }> {
  let inStead: NodeAnswers = {}
  let isCut = false
  const proxies: { stop(): Promise<void> }[] = []

  const listen = async (node: keyof NodeAnswers, url: string) => {
    const proxy = await listenTo(url, clock, {
      ...(kind === 'client' && { begin, spoilt }),
      async answer(call) {
        if (isCut && node === 'l2') throw new AnswerLost()
        const said = await inStead[node]?.(call)
        return said && { jsonrpc: '2.0', id: call.id, ...said }
      },
      hear: async (_, response) => response,
    })
    proxies.push(proxy)
    return proxy.url
  }
  const { rpcUrl, wsUrl, rollupRpcUrl } = world.description
  const urls: Record<string, string> = {}
  if (kind !== 'registrar') urls.rpcUrl = await listen('l2', rpcUrl)
  if (kind === 'client') urls.wsUrl = await listen('l2', wsUrl)
  if (kind === 'proposer' || kind === 'challenger')
    urls.rollupRpcUrl = await listen('rollup', rollupRpcUrl)

  return {
    urls,
    lines: {
      answerFor(nodes) {
        inStead = nodes
        return () => {
          inStead = {}
        }
      },
      cutHttp() {
        isCut = true
        return () => {
          isCut = false
        }
      },
    },
    async stop() {
      for (const proxy of proxies) await proxy.stop()
    },
  }
}
