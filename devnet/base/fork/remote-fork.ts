/** Another chain whose state a devnet's L2 starts from. */
export interface RemoteFork {
  /** HTTP JSON-RPC of a node that keeps the state of the block: an archive node, where it is an old one. */
  url: string
  /** Number of the block; by default the newest when the devnet starts. */
  block?: number | undefined
  /** Headers of every request, for a provider's key. Never shown. */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Folder in which what was read is kept, so that the next start with the same URL and block needs no
   * network; default: in the user's cache folder. `false` keeps nothing beyond the process.
   */
  cache?: string | false | undefined
}
