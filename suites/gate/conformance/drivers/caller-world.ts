import type { Hex } from '../wire/hex.ts'

/** Who calls a prover host or a node, by the name of the flag that gives its command. */
export type CallerKind = 'proposer' | 'challenger' | 'registrar' | 'client'

/**
 * What an attestation says instead of the truth; with `new-key` nothing: its enclave was booted anew, with
 * `next-image` from another image.
 */
export type AttestationFault =
  | 'debug-image'
  | 'other-key'
  | 'other-challenge'
  | 'no-challenge'
  | 'other-root'
  | 'other-issuer'
  | 'other-leaf'
  | 'other-signature'
  | 'expired'
  | 'old-document'
  | 'new-key'
  | 'next-image'

/** A chain of its own for one caller, with everything that it talks to. */
export interface CallerWorld extends AsyncDisposable {
  /** As `rollbed up --json` prints it. */
  description: CallerDescription
  /** Brings about one of the named situations. @returns what was made, as `rollbed scenario run` prints it */
  play(scenario: string): Promise<Record<string, unknown>>
  /** Somebody else nullifies the first game with a wrong root. */
  dispute(): Promise<void>
  /**
   * Puts a fault of devnet/docs/faults.md on a link, such as `link:actor-host`, or happens once to a chain.
   * @returns what ends it
   */
  fault(
    target: string,
    name: string,
    parameters?: Record<string, unknown>,
  ): Promise<() => Promise<void>>
  /**
   * L1 takes what this key signs for new games, as if an enclave of their image had it.
   * @returns hash of that image
   */
  admit(signer: Hex): Promise<Hex>
  /** For a registrar: the host's enclave of this index attests so from now on. */
  attestWith(index: number, fault: AttestationFault): Promise<void>
}

export interface CallerDescription {
  accounts: readonly object[]
  rpcUrl: string
  wsUrl: string
  l1RpcUrl: string
  rollupRpcUrl: string
  proverUrl: string
  contracts: Record<'disputeGameFactory' | 'teeProverRegistry', Hex> & Record<string, Hex>
}

/**
 * Starts a world with ten safe L2 blocks, in the first of them a withdrawal, and no more unless a situation asks for
 * it; for a client with none, and nothing on L2 happens but what the case does.
 * @param chain `today`: blocks of 200 ms, games that have a fast interval, journals that name a schedule
 */
export type StartCallerWorld = (kind: CallerKind, chain?: 'today') => Promise<CallerWorld>
