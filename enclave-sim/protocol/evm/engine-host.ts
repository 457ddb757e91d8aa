/**
 * Where the engine reads the state it runs on. It asks once per message and value, synchronously and in
 * bytes. `undefined` says that the value is not at hand: the engine then stops before the opcode that
 * needs it, so that its caller can fetch the value, and goes on as if nothing had been.
 *
 * The bytes that are handed in lie in the engine's memory and change with the next question: a host
 * keeps copies. What it answers is copied, and may be memory of its own.
 */
export interface EngineHost {
  /** @param address 20 bytes */
  account(address: Uint8Array): EngineAccount | undefined
  /**
   * @param address 20 bytes
   * @param key 32 bytes
   * @returns at most 32 bytes, big-endian; leading zeros may be absent
   */
  slot(address: Uint8Array, key: Uint8Array): Uint8Array | undefined
  /**
   * Code of an account told before; never asked for the hash of nothing.
   *
   * @param address 20 bytes
   * @param hash 32 bytes
   */
  code(address: Uint8Array, hash: Uint8Array): Uint8Array | undefined
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
