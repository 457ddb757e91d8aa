import type { RpcMethods, RpcViews } from '#devnet/base/json-rpc/json-rpc-server'
import { type NodeMethodsOptions, nodeMethods } from './node-methods.ts'

type Manner = Pick<NodeMethodsOptions, 'profile' | 'preconfirmations'>

/** Whom a view of the chain follows, by its path. */
const VIEWS: Readonly<Record<string, Manner>> = {
  '/spec': { profile: 'spec' },
  '/base': { profile: 'base' },
  '/plain': { profile: 'base', preconfirmations: false },
}

/**
 * The same chain seen in other ways, each at a path of its own: `/spec` and `/base` follow these
 * profiles, `/plain` shows sealed blocks alone, for clients that know of no pre-confirmations. At
 * `/branch/<id>` is a branch, and below it the same views of that.
 */
export function nodeViews(
  options: NodeMethodsOptions,
  finish: (methods: RpcMethods) => RpcMethods,
  branchMethods?: (id: string, view: string, manner: Manner) => RpcMethods | undefined,
): RpcViews {
  const made = new Map<string, RpcMethods>()
  return {
    paths: [...Object.keys(VIEWS), ...(branchMethods ? ['/branch/<id>'] : [])],
    at(path) {
      const ofBranch = /^\/branch\/(\w+)(\/\w+)?$/.exec(path)
      if (ofBranch) {
        const [, id, view = ''] = ofBranch
        const manner = view === '' ? {} : Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined
        return manner && branchMethods?.(id!, view, manner)
      }
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
