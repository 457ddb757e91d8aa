import type { Address, Hash } from '../types/bytes.ts'

/**
 * Where the engine reads the state it runs on. It asks once for each value, and synchronously.
 * `undefined` says that the value is not at hand: the engine then stops before the opcode that
 * needs it, so that its caller can fetch the value, and goes on as if nothing had been.
 *
 * What a host answers is copied, and may be memory of its own.
 */
export interface EngineHost {
  account(address: Address): EngineAccount | undefined
  /**
   * @returns at most 32 bytes, big-endian; leading zeros may be absent
   */
  slot(address: Address, key: Hash): Uint8Array | undefined
  /**
   * Code of an account told before; never asked for the hash of nothing.
   *
   * @param hash 32 bytes
   */
  code(address: Address, hash: Uint8Array): Uint8Array | undefined
}

/** An account as it stands before the message; one that does not exist has no nonce, balance or code. */
export interface EngineAccount {
  nonce: bigint
  balance: bigint
  /** 32 bytes; keccak-256 of nothing where there is no code. */
  codeHash: Uint8Array
  /** Whether any slot holds a value: then nothing can be created here (EIP-7610). */
  hasStorage: boolean
}
