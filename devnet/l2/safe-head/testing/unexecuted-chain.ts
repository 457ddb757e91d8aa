import { bigIntToBytes, concatBytes } from '@ethereumjs/util'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { L1Source } from '#protocol/derivation/l1-source'
import { l2Parent } from '#protocol/derivation/l2-parent'
import { advanceEpoch } from '#protocol/derivation/open-epoch'
import { payloadAttributes } from '#protocol/derivation/payload-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { encodeExtraData } from '#protocol/execution/extra-data'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block, Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { successorMs } from '#protocol/upgrades/block-times'
import { EventEmitter } from '../../node/chain/event-emitter.ts'
import type { ChainControl } from '../../node/chain-control.ts'
import type { ChainEvents, ChainView } from '../../node/chain-view.ts'

export interface UnexecutedChain extends ChainView, Pick<ChainControl, 'markSent'> {
  /** Seals the next block in the epoch of this L1 block. */
  seal(l1Origin: Hash, transactions?: Uint8Array[]): Promise<Block>
  /** Puts this block in place of the one with its number. */
  replace(block: Block): void
  /** Takes blocks off the end, as a reorg. */
  rewind(to: bigint): void
  markFinalized(block: Block): void
}

/** A chain whose blocks have the right attributes and transactions, but were never executed. */
export function unexecutedChain(config: RollupConfig, l1: L1Source): UnexecutedChain {
  const events = new EventEmitter<ChainEvents>((error) => {
    throw error
  })
  const blocks = [genesisBlock(config)]
  let finalized = blocks[0]!
  const latest = () => blocks.at(-1)!
  const chain: Partial<UnexecutedChain> = {
    latest,
    safe: () => finalized,
    finalized: () => finalized,
    divergence: () => undefined,
    blockByNumber: (number) => blocks[Number(number)],
    on: (event, listener) => events.on(event, listener),
    // No cheat takes back what a batch holds.
    markSent() {},
    markFinalized(block) {
      finalized = block
    },
    replace(block) {
      blocks[Number(block.header.number)] = block
    },
    rewind(to) {
      const removed = blocks.splice(Number(to) + 1).reverse()
      events.emit('reorg', { removed })
    },
    async seal(l1Origin, transactions = []) {
      const parent = l2Parent(config, latest())
      const origin = await l1.header(l1Origin)
      const timestampMs = successorMs(config, parent)
      const attributes = payloadAttributes({
        ...(await advanceEpoch(config, l1, origin, parent, timestampMs)),
        config,
        transactions,
        l1Origin: origin,
        number: parent.number + 1n,
        timestampMs,
      })
      const { denominator, elasticity } = attributes.eip1559
      const block = toBlock(
        {
          ...latest().header,
          parentHash: parent.hash,
          number: parent.number + 1n,
          timestamp: attributes.timestamp,
          mixHash: attributes.prevRandao,
          parentBeaconBlockRoot: attributes.parentBeaconBlockRoot,
          miner: attributes.feeRecipient,
          gasLimit: attributes.gasLimit,
          extraData: encodeExtraData(
            { denominator, elasticity, minBaseFee: attributes.minBaseFee },
            config.fork,
          ),
        },
        attributes.transactions,
      )
      blocks.push(block)
      return block
    },
  }
  return chain as UnexecutedChain
}

/** The hash that the configuration must name as genesis. */
export const GENESIS_HASH: Hash = `0x${'2e'.repeat(32)}`

function genesisBlock({ genesis }: RollupConfig): Block {
  const header = { number: 0n, timestamp: BigInt(genesis.l2Time), gasLimit: 30_000_000n } as Header
  return { ...toBlock(header, []), hash: GENESIS_HASH }
}

function toBlock(header: Header, raw: Uint8Array[]): Block {
  return {
    hash: keccak256Hex(concatBytes(bigIntToBytes(header.number), ...raw)),
    header,
    transactions: raw.map(decodeTransaction),
    receipts: [],
    size: raw.reduce((sum, { length }) => sum + length, 600),
  }
}
