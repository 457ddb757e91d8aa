import type { DispatchOptions } from './dispatch.ts'
import type { RpcViews } from './json-rpc-server.ts'

/** How calls at a path are answered; undefined where nothing is served. */
export type DispatchingAt = (path: string) => DispatchOptions | undefined

/** Path `/` has the server's own methods, every other path those of its view; the limits are the same. */
export function dispatchingAt(root: DispatchOptions, views: RpcViews | undefined): DispatchingAt {
  return (path) => {
    if (path === '/') return root
    const methods = views?.at(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
    return methods && { ...root, methods }
  }
}
