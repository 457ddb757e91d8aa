import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { withoutLeadingZeros } from '../bytes/without-leading-zeros.ts'
import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import type { Alloc, AllocAccount } from '../types/account.ts'
import type { Block, Header } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import type { StateStore } from '../types/state.ts'
import { readAccount } from './account-reader.ts'
import { blockSize } from './block.ts'
import { encodeExtraData } from './extra-data.ts'
import { headerHash } from './header.ts'
import { NO_REQUESTS, NO_UNCLES } from './open-block.ts'
import { L2_TO_L1_MESSAGE_PASSER } from './predeploys.ts'
import { WorldState } from './world-state.ts'

const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`

/**
 * Writes a genesis allocation into a store. Returns the state root.
 * @example
 * const alloc = { '0x000000000000000000000000000000000000bEEF': { balance: 1n } }
 * const stateRoot = await writeAlloc(new MemoryStore(), alloc)
 */
export async function writeAlloc(store: StateStore, alloc: Alloc): Promise<Hash> {
  const world = new WorldState(store, EMPTY_TRIE_ROOT)
  for (const [address, account] of Object.entries(alloc) as [Address, AllocAccount][]) {
    const entry = await world.entry(address.toLowerCase() as Address)
    world.update(entry, { balance: account.balance ?? 0n, nonce: account.nonce ?? 0n })
    if (account.code) world.setCode(entry, hexToBytes(account.code))
    for (const [slot, value] of Object.entries(account.storage ?? {}) as [Hash, Hash][]) {
      await world.setSlot(entry, slot, withoutLeadingZeros(hexToBytes(value)))
    }
  }
  return world.flush(store)
}

export interface GenesisOptions {
  /** Holds the state, as writeAlloc left it. */
  store: StateStore
  stateRoot: Hash
  fork: Fork
  /** Seconds. */
  timestamp: bigint
  gasLimit: bigint
  baseFeePerGas: bigint
  eip1559: { denominator: number; elasticity: number }
  minBaseFee?: bigint
  /** The rest is zero unless given. */
  overrides?: Partial<Header>
}

/**
 * Block 0 of an OP chain on which all forks are active from the start.
 * @example
 * const stateRoot = await writeAlloc(store, alloc)
 * const eip1559 = { denominator: 250, elasticity: 6 }
 * const fees = { gasLimit: 60_000_000n, baseFeePerGas: 1_000_000_000n, eip1559 }
 * const genesis = genesisBlock({ store, stateRoot, fork: 'jovian', timestamp: 0n, ...fees })
 */
export function genesisBlock(options: GenesisOptions): Block {
  const { store, stateRoot, fork } = options
  const passer = readAccount(store, stateRoot, L2_TO_L1_MESSAGE_PASSER)
  const header: Header = {
    parentHash: ZERO_HASH,
    sha3Uncles: NO_UNCLES,
    miner: '0x4200000000000000000000000000000000000011',
    stateRoot,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: 0n,
    number: 0n,
    gasLimit: options.gasLimit,
    gasUsed: 0n,
    timestamp: options.timestamp,
    extraData: encodeExtraData({ ...options.eip1559, minBaseFee: options.minBaseFee ?? 0n }, fork),
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
    baseFeePerGas: options.baseFeePerGas,
    // OP spec, Isthmus: the genesis header commits to the message passer's storage too.
    withdrawalsRoot: passer?.storageRoot ?? EMPTY_TRIE_ROOT,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO_HASH,
    requestsHash: NO_REQUESTS,
    ...options.overrides,
  }
  const body = { header, transactions: [], receipts: [] }
  return { ...body, hash: headerHash(header), size: blockSize(body) }
}
