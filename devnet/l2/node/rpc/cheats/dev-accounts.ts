import type { TransactionSerializable } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Address, Hex } from '#protocol/types/bytes'
import { signWithKey } from './sign-with-key.ts'

const MAX_IMPERSONATED = 10_000

/** Whom the node signs for: accounts with public dev keys, and those it only pretends to be. */
export class DevAccounts {
  readonly #keys: ReadonlyMap<Address, DevKey>
  readonly #signers: Map<Address, PrivateKeyAccount>
  readonly #impersonated = new Set<Address>()
  /** Everybody else may be impersonated too. */
  impersonatesAll = false

  constructor(keys: readonly DevKey[], signers = new Map<Address, PrivateKeyAccount>()) {
    this.#keys = new Map(keys.map((key) => [key.address, key]))
    this.#signers = signers
  }

  /** The same keys, and nobody impersonated. */
  withoutImpersonation(): DevAccounts {
    return new DevAccounts([...this.#keys.values()], this.#signers)
  }

  addresses(): Address[] {
    return [...new Set([...this.#keys.keys(), ...this.#impersonated])]
  }

  /** @throws JsonRpcError -32602 when there are too many */
  impersonate(address: Address): void {
    if (this.#impersonated.size >= MAX_IMPERSONATED) {
      throw invalidParams(`address: ${MAX_IMPERSONATED} accounts are impersonated already`)
    }
    this.#impersonated.add(address)
  }

  stopImpersonating(address: Address): void {
    this.#impersonated.delete(address)
  }

  /** Without a key of its own. */
  isImpersonated(address: Address): boolean {
    if (this.#impersonated.has(address)) return true
    return this.impersonatesAll && !this.#keys.has(address)
  }

  /** @throws JsonRpcError -32602, in anvil's words */
  signer(address: Address): PrivateKeyAccount {
    const known = this.#signers.get(address)
    if (known) return known
    const signer = privateKeyToAccount(this.#keyOf(address))
    this.#signers.set(address, signer)
    return signer
  }

  /**
   * EIP-2718 bytes of a complete transaction, signed by a dev account.
   * @throws JsonRpcError -32602, in anvil's words
   */
  signTransaction(address: Address, transaction: TransactionSerializable): Hex {
    return signWithKey(transaction, this.#keyOf(address))
  }

  #keyOf(address: Address): Hex {
    const key = this.#keys.get(address)
    if (key) return key.privateKey
    const data = `No dev key belongs to ${address}, and it is not impersonated.`
    throw new JsonRpcError(-32602, 'No Signer available', data)
  }
}
