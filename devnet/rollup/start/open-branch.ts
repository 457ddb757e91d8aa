import type { ConnectInProcess } from '#devnet/base/json-rpc/json-rpc-server'

/** A second chain upon a block of a devnet, isolated from all others. */
export interface DevnetBranch extends AsyncDisposable {
  readonly id: string
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Where it answers as deployed nodes do: for dapps, wallets, ethers. */
  readonly baseRpcUrl: string
  /**
   * Reaches the devnet's node without a socket, by the path of an URL: of a devnet in this process that
   * takes no faults of links.
   */
  readonly inProcess?: ConnectInProcess | undefined
  /** The chain is gone afterwards. Idempotent. */
  drop(): Promise<void>
}

/** A sealed block by its number, or one of the usual tags. */
export type BranchBlock = bigint | number | 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'

/**
 * When a branch's flashblocks come: with the beat of 200 ms, or as soon as something waits, so that a test
 * waits for nothing; the branch's time runs ahead then, and all else is as ever.
 */
export type Flashblocks = 'beat' | 'prompt'

export interface BranchOptions {
  /** Default `beat`; of a branch of a branch: as there. */
  flashblocks?: Flashblocks | undefined
}

/** Calls a method of a devnet, or of a branch. */
export type Ask = (method: string, params: unknown[]) => Promise<unknown>

/** @param block default `pending`: all that is pre-confirmed is in the branch */
export async function openBranch(
  ask: Ask,
  block?: BranchBlock,
  { flashblocks }: BranchOptions = {},
  inProcess?: ConnectInProcess | undefined,
): Promise<DevnetBranch> {
  const selector = typeof block === 'string' ? block : `0x${(block ?? 0).toString(16)}`
  const base = block === undefined ? 'pending' : selector
  const made = await ask('rollbed_branch', flashblocks ? [base, { flashblocks }] : [base])
  const urls = made as Pick<DevnetBranch, 'id' | 'rpcUrl' | 'wsUrl' | 'baseRpcUrl'>
  const { id, rpcUrl, wsUrl, baseRpcUrl } = urls
  const drop = async () => {
    await ask('rollbed_dropBranch', [id])
  }
  return { id, rpcUrl, wsUrl, baseRpcUrl, inProcess, drop, [Symbol.asyncDispose]: drop }
}
