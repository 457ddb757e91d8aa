import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { withoutLeadingZeros } from '#protocol/bytes/without-leading-zeros'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY, keccak256 } from '#protocol/crypto/keccak'
import { encodeAccount } from '#protocol/execution/account-codec'
import { remotePlace } from '#protocol/execution/remote-key'
import { REMOTE_STORAGE_NODE, REMOTE_STORAGE_ROOT } from '#protocol/execution/remote-storage'
import { NodeMissing } from '#protocol/trie/node-missing'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import type { ForkCache } from './fork-cache.ts'
import { ForkError } from './fork-error.ts'
import type { RemoteClient } from './remote-client.ts'

const NOTHING = new Uint8Array(0)

/**
 * The state of one block of a remote chain, read when it is needed: accounts and slots under their
 * `remoteKey`, code under its hash. What was read once is at hand for good.
 */
export class ForkedState implements StateSource {
  readonly isFork = true
  readonly #remote: Pick<RemoteClient, 'request'>
  readonly #cache: ForkCache
  readonly #block: Hex
  readonly #underWay = new Map<Hex, Promise<void>>()

  constructor(remote: Pick<RemoteClient, 'request'>, cache: ForkCache, block: bigint) {
    this.#remote = remote
    this.#cache = cache
    this.#block = `0x${block.toString(16)}`
  }

  get(key: Hex): Uint8Array | undefined {
    return key === REMOTE_STORAGE_ROOT ? REMOTE_STORAGE_NODE : this.#cache.get(key)
  }

  /** @throws ForkError; NodeMissing for a hash: code comes with its account, and nodes are here */
  fetch(key: Hex, kind: 'node' | 'code' = 'node'): Promise<void> {
    const place = remotePlace(key)
    if (!place) return Promise.reject(new NodeMissing(key, kind))
    const { address, slot } = place
    const known = this.#underWay.get(key)
    if (known) return known
    const fetching = (
      slot ? this.#fetchSlot(key, address, slot) : this.#fetchAccount(address)
    ).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, fetching)
    return fetching
  }

  async #fetchAccount(address: Address): Promise<void> {
    const ask = (method: string) => this.#ask(method, [address, this.#block])
    const [balance, nonce, code] = await Promise.all([
      ask('eth_getBalance').then(toQuantity),
      ask('eth_getTransactionCount').then(toQuantity),
      ask('eth_getCode').then(toBytes),
    ])
    const hasCode = code.length > 0
    const codeHash = hasCode ? bytesToHex(keccak256(code)) : KECCAK_EMPTY
    const exists = hasCode || nonce > 0n || balance > 0n
    // Without code and nonce there is no storage: a contract may still be created there (EIP-7610).
    const storageRoot = hasCode || nonce > 0n ? REMOTE_STORAGE_ROOT : EMPTY_TRIE_ROOT
    const account = { nonce, balance, storageRoot, codeHash }
    this.#cache.put([
      ...(hasCode ? [[codeHash, code] as const] : []),
      [address, exists ? encodeAccount(account) : NOTHING],
    ])
  }

  async #fetchSlot(key: Hex, address: Address, slot: Hash): Promise<void> {
    const value = toBytes(await this.#ask('eth_getStorageAt', [address, slot, this.#block]))
    this.#cache.put([[key, withoutLeadingZeros(value)]])
  }

  #ask(method: string, params: unknown[]): Promise<unknown> {
    return this.#remote.request(method, params)
  }
}

function toQuantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw notUnderstood(value)
}

function toBytes(value: unknown): Uint8Array {
  if (typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value))
    return hexToBytes(value as Hex)
  throw notUnderstood(value)
}

function notUnderstood(value: unknown): ForkError {
  const answer = JSON.stringify(value)?.slice(0, 80)
  return new ForkError(
    'FORK_REMOTE_REFUSED',
    `The forked chain answers what is no value: ${answer}`,
    {
      hint: 'Is --fork-url the JSON-RPC of an Ethereum-like chain?',
    },
  )
}
