import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { decode, encode } from '@ethereumjs/rlp'
import { bigIntMin, bytesToHex, Address as EvmAddress, hexToBytes } from '@ethereumjs/util'
import { getContractAddress } from 'viem'
import { logsBloom, mergeBloom } from '#protocol/execution/logs-bloom'
import { BEACON_ROOTS, SYSTEM_ADDRESS } from '#protocol/execution/predeploys'
import { encodeReceipt } from '#protocol/execution/receipt'
import { WorldState } from '#protocol/execution/world-state'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Receipt } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { SignedTransaction } from '#protocol/types/transaction'
import { EvmState } from '../evm/evm-state.ts'
import type { BlockResult } from './block-result.ts'
import { credit, earlyEvmBlock, executeEarlyTransaction } from './early-transaction.ts'
import type { L1Block } from './read-chain-file.ts'

const GWEI = 10n ** 9n
const ETHER = 10n ** 18n

export interface EarlyOptions {
  chainId: bigint
  store: StateStore
  parentRoot: Hash
  hardfork: Hardfork
}

/**
 * Executes a block with the rules L1 had before Prague, which no L2 of ours ever has: the chain file
 * begins with such blocks, and their roots show whether the rules were followed. EVM, state, tries
 * and receipts are the executor's own, transaction and block rules are not.
 */
export async function executeEarlyBlock(
  block: L1Block,
  { chainId, store, parentRoot, hardfork }: EarlyOptions,
): Promise<BlockResult> {
  const world = new WorldState(store, parentRoot)
  const evm = await createEarlyEvm(chainId, hardfork, world)
  const bloom = new Uint8Array(256)
  const receipts: Receipt[] = []
  const encoded: Uint8Array[] = []
  let gasUsed = 0n
  if (evm.common.gteHardfork(Hardfork.Cancun)) await storeBeaconRoot(evm, world, block)
  for (const item of block.transactions) {
    const outcome = await executeEarlyTransaction(evm, world, item, block)
    gasUsed += outcome.gasUsed
    const own = logsBloom(outcome.logs)
    mergeBloom(bloom, own)
    const { transaction } = item
    const { baseFeePerGas } = block.header
    const tip = bigIntMin(
      transaction.maxPriorityFeePerGas,
      transaction.maxFeePerGas - baseFeePerGas,
    )
    const receipt: Receipt = {
      type: item.type as Receipt['type'],
      status: outcome.status,
      cumulativeGasUsed: gasUsed,
      gasUsed: outcome.gasUsed,
      logsBloom: bytesToHex(own),
      logs: outcome.logs,
      contractAddress: transaction.to === null ? created(transaction) : null,
      effectiveGasPrice: baseFeePerGas + tip,
      output: new Uint8Array(0),
    }
    receipts.push(receipt)
    const bytes = encodeReceipt(receipt)
    const hasStatus = evm.common.gteHardfork(Hardfork.Byzantium)
    encoded.push(hasStatus ? bytes : withRoot(bytes, await world.flush(store)))
  }
  await payMiners(evm, world, block)
  for (const { address, gwei } of block.withdrawals) await credit(world, address, gwei * GWEI)
  return {
    stateRoot: await world.flush(store),
    receipts,
    receiptsRoot: orderedTrieRoot(encoded),
    gasUsed,
    logsBloom: bytesToHex(bloom),
  }
}

async function createEarlyEvm(
  chainId: bigint,
  hardfork: Hardfork,
  world: WorldState,
): Promise<EVM> {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork })
  const state = new EvmState()
  state.world = world
  return createEVM({ common, stateManager: state })
}

/** EIP-4788. */
async function storeBeaconRoot(evm: EVM, world: WorldState, { header }: L1Block): Promise<void> {
  evm.journal.cleanJournal()
  await evm.runCall({
    block: earlyEvmBlock({ header }),
    caller: new EvmAddress(hexToBytes(SYSTEM_ADDRESS)),
    to: new EvmAddress(hexToBytes(BEACON_ROOTS)),
    data: hexToBytes(header.parentBeaconBlockRoot),
    gasLimit: 30_000_000n,
    skipNonceIncrement: true,
  })
  world.endTransaction()
}

/** Yellow Paper, 11.3, with the rewards of EIP-649 and EIP-1234. */
async function payMiners({ common }: EVM, world: WorldState, { header, uncles }: L1Block) {
  if (common.gteHardfork(Hardfork.Paris)) return
  const isConstantinople = common.gteHardfork(Hardfork.Constantinople)
  const ethers = isConstantinople ? 2n : common.gteHardfork(Hardfork.Byzantium) ? 3n : 5n
  const reward = ethers * ETHER
  for (const uncle of uncles) {
    await credit(world, uncle.miner, ((uncle.number + 8n - header.number) * reward) / 8n)
  }
  await credit(world, header.miner, reward + (BigInt(uncles.length) * reward) / 32n)
}

function created({ from, nonce }: SignedTransaction): Address {
  return getContractAddress({ from, nonce }).toLowerCase() as Address
}

/** Before EIP-658 a receipt has the state root in place of the status. */
function withRoot(receipt: Uint8Array, root: Hash): Uint8Array {
  const [, ...rest] = decode(receipt) as Uint8Array[]
  return encode([hexToBytes(root), ...rest])
}
