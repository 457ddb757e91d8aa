import type { RpcMethods, RpcViews } from '#devnet/base/json-rpc/json-rpc-server'
import { endsPreconfirmations } from '#protocol/upgrades/schedule'
import { type NodeMethodsOptions, nodeMethods } from './node-methods.ts'

type Manner = Pick<NodeMethodsOptions, 'profile' | 'preconfirmations'>

/** Whom a view of the chain follows, by its path. */
const VIEWS = {
  '/spec': { profile: 'spec' },
  '/base': { profile: 'base' },
  '/plain': { profile: 'base', preconfirmations: false },
} as const satisfies Record<string, Manner>

/**
 * The same chain seen in other ways, each at a path of its own: `/spec` and `/base` follow these
 * profiles, `/plain` shows sealed blocks alone, for clients that know of no pre-confirmations. At
 * `/branch/<id>` is a branch, and below it the same views of that. A chain that crosses Denim has no `/spec`.
 */
export function nodeViews(
  options: NodeMethodsOptions,
  finish: (methods: RpcMethods) => RpcMethods,
  branchMethods?: (id: string, view: string, manner: Manner) => RpcMethods | undefined,
): RpcViews {
  const { '/spec': spec, ...others } = VIEWS
  // The specification says nothing of a chain without pre-confirmations.
  const views = endsPreconfirmations(options.config.upgrades)
    ? others
    : { '/spec': spec, ...others }
  const made = new Map<string, RpcMethods>()
  return {
    paths: [...Object.keys(views), ...(branchMethods ? ['/branch/<id>'] : [])],
    at(path) {
      const ofBranch = /^\/branch\/(\w+)(\/\w+)?$/.exec(path)
      if (ofBranch) {
        const [, id, view = ''] = ofBranch
        const manner = view === '' ? {} : viewAt(views, view)
        return manner && branchMethods?.(id!, view, manner)
      }
      const view = viewAt(views, path)
      if (!view) return undefined
      const known = made.get(path)
      if (known) return known
      const methods = finish(nodeMethods({ ...options, ...view }))
      made.set(path, methods)
      return methods
    },
  }
}

function viewAt(views: Readonly<Record<string, Manner>>, path: string): Manner | undefined {
  return Object.hasOwn(views, path) ? views[path] : undefined
}
