import type { RpcMethods, RpcViews } from '../../json-rpc/json-rpc-server.ts'
import { type NodeMethodsOptions, nodeMethods } from './node-methods.ts'

/** Whom a view of the chain follows, by its path. */
const VIEWS: Readonly<Record<string, Pick<NodeMethodsOptions, 'profile' | 'preconfirmations'>>> = {
  '/spec': { profile: 'spec' },
  '/base': { profile: 'base' },
  '/plain': { profile: 'base', preconfirmations: false },
}

/**
 * The same chain seen in other ways, each at a path of its own: `/spec` and `/base` follow these
 * profiles, `/plain` shows sealed blocks alone, for clients that know of no pre-confirmations.
 */
export function nodeViews(
  options: NodeMethodsOptions,
  finish: (methods: RpcMethods) => RpcMethods,
): RpcViews {
  const made = new Map<string, RpcMethods>()
  return {
    paths: Object.keys(VIEWS),
    at(path) {
      const view = Object.hasOwn(VIEWS, path) ? VIEWS[path] : undefined
      if (!view) return undefined
      const known = made.get(path)
      if (known) return known
      const methods = finish(nodeMethods({ ...options, ...view }))
      made.set(path, methods)
      return methods
    },
  }
}
