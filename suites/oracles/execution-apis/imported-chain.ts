import type { ChainEvents, ChainView, TransactionLocation } from '#devnet/l2/node/chain-view'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import { encodeExtraData } from '#protocol/execution/extra-data'
import type { Account } from '#protocol/types/account'
import type { Block } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'

/** L1's, in the form in which an L2 header carries its own (EIP-1559; OP spec, Holocene). */
const L1_FEE_PARAMETERS = encodeExtraData(
  { denominator: 8, elasticity: 2, minBaseFee: 0n },
  'isthmus',
)

/** Blocks that were executed elsewhere, as a node's methods read them. Nothing is ever pending. */
export class ImportedChain implements ChainView {
  readonly chainId: bigint
  readonly store: StateStore
  readonly #blocks: Block[]

  constructor(chainId: bigint, store: StateStore, genesis: Block, ...more: Block[]) {
    this.chainId = chainId
    this.store = store
    this.#blocks = [genesis, ...more]
  }

  append(block: Block): void {
    this.#blocks.push(block)
  }

  /**
   * The same chain for methods that reckon a next base fee: an L1 header has no fee parameters, and
   * ours are read from there.
   */
  withFeeParameters(): ImportedChain {
    const [genesis, ...more] = this.#blocks.map((block) => ({
      ...block,
      header: { ...block.header, extraData: L1_FEE_PARAMETERS },
    }))
    return new ImportedChain(this.chainId, this.store, genesis!, ...more)
  }

  latest = (): Block => this.#blocks.at(-1)!
  safe = (): Block => this.latest()
  finalized = (): Block => this.latest()
  pending = (): undefined => undefined
  blockByNumber = (number: bigint): Block | undefined => this.#blocks[Number(number)]
  blockByHash = (hash: Hash): Block | undefined => this.#blocks.find((block) => block.hash === hash)
  blockHash = async (number: bigint) => this.blockByNumber(number)?.hash
  isStatePruned = (): boolean => false
  pooledTransaction = (): undefined => undefined
  nextPoolNonce = (): undefined => undefined
  poolContent = () => ({ pending: [], queued: [] })
  divergence = (): undefined => undefined
  stateRootOf = ({ header }: Pick<Block, 'header'>): Hash => header.stateRoot
  code = (codeHash: Hash): Uint8Array => this.store.get(codeHash) ?? new Uint8Array(0)

  numbersWithLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    return this.#blocks.flatMap(({ header: { number, logsBloom } }) =>
      number >= first && number <= last && mayHold(logsBloom) ? [number] : [],
    )
  }

  findTransaction(hash: Hash): TransactionLocation | undefined {
    for (const block of this.#blocks) {
      const index = block.transactions.findIndex((transaction) => transaction.hash === hash)
      if (index >= 0) return { block, index }
    }
    return undefined
  }

  account(stateRoot: Hash, address: Address): Account | undefined {
    return readAccount(this.store, stateRoot, address)
  }

  storage(stateRoot: Hash, address: Address, slot: Hash): Hash {
    return readStorage(this.store, stateRoot, address, slot)
  }

  submit(): Promise<Hash> {
    return Promise.reject(new Error('An imported chain takes no transactions.'))
  }

  on<K extends keyof ChainEvents>(_event: K, _listener: (value: ChainEvents[K]) => void) {
    return () => {}
  }
}
