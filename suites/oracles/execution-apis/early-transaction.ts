import { Hardfork } from '@ethereumjs/common'
import type { EVM } from '@ethereumjs/evm'
import { bigIntMin, bytesToHex, Address as EvmAddress, hexToBytes } from '@ethereumjs/util'
import type { WorldState } from '#protocol/execution/world-state'
import type { Log } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { L1Transaction } from './l1-transaction.ts'
import type { L1Block } from './read-chain-file.ts'

/** EIP-4844. */
export const GAS_PER_BLOB = 131_072n

interface EarlyOutcome {
  status: 0 | 1
  gasUsed: bigint
  logs: Log[]
}

/** Executes a transaction with the rules of the EVM's fork, from Homestead to Cancun. */
export async function executeEarlyTransaction(
  evm: EVM,
  world: WorldState,
  { transaction, blobHashes }: L1Transaction,
  { header }: L1Block,
): Promise<EarlyOutcome> {
  const { common } = evm
  const { from, to, gas, value, data } = transaction
  const tip = bigIntMin(
    transaction.maxPriorityFeePerGas,
    transaction.maxFeePerGas - header.baseFeePerGas,
  )
  const price = header.baseFeePerGas + tip
  const sender = await world.entry(from)
  world.update(sender, {
    nonce: sender.nonce + 1n,
    // No block of the file has excess blob gas, so a blob costs 1 wei per gas.
    balance: sender.balance - gas * price - BigInt(blobHashes.length) * GAS_PER_BLOB,
  })
  evm.journal.cleanJournal()
  evm.transientStorage.clear()
  evm.stateManager.originalStorageCache.clear()
  if (common.gteHardfork(Hardfork.Berlin)) warm(evm, transaction, header.miner)
  const intrinsic = intrinsicGas(evm, transaction)
  const { execResult } = await evm.runCall({
    block: earlyEvmBlock({ header }),
    gasPrice: price,
    caller: new EvmAddress(hexToBytes(from)),
    gasLimit: gas - intrinsic,
    ...(to === null ? {} : { to: new EvmAddress(hexToBytes(to)) }),
    value,
    data,
    blobVersionedHashes: blobHashes,
    skipNonceIncrement: true,
  })
  const failed = execResult.exceptionError !== undefined
  const used = intrinsic + execResult.executionGasUsed
  // EIP-3529.
  const quotient = common.gteHardfork(Hardfork.London) ? 5n : 2n
  const refund = failed ? 0n : bigIntMin(execResult.gasRefund ?? 0n, used / quotient)
  const gasUsed = used - refund
  await credit(world, from, (gas - gasUsed) * price)
  await credit(world, header.miner, gasUsed * tip)
  // EIP-161: only since then do empty accounts vanish. Nothing in the file self-destructs.
  if (common.gteHardfork(Hardfork.SpuriousDragon)) world.endTransaction()
  else world.settle()
  const logs = failed ? [] : (execResult.logs ?? [])
  return {
    status: failed ? 0 : 1,
    gasUsed,
    logs: logs.map(([address, topics, content]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: content,
    })),
  }
}

export async function credit(world: WorldState, address: Address, amount: bigint): Promise<void> {
  const entry = await world.entry(address)
  world.update(entry, { balance: entry.balance + amount })
}

/** The block as opcodes read it. */
export function earlyEvmBlock({ header }: Pick<L1Block, 'header'>) {
  return {
    header: {
      number: header.number,
      coinbase: new EvmAddress(hexToBytes(header.miner)),
      timestamp: header.timestamp,
      difficulty: header.difficulty,
      prevRandao: hexToBytes(header.mixHash),
      gasLimit: header.gasLimit,
      baseFeePerGas: header.baseFeePerGas,
      slotNumber: 0n,
      getBlobGasPrice: () => 1n,
    },
  }
}

function intrinsicGas({ common }: EVM, { to, data, accessList }: SignedTransaction): bigint {
  // EIP-2028.
  const nonZero = common.gteHardfork(Hardfork.Istanbul) ? 16 : 68
  let gas = 21_000
  for (const byte of data) gas += byte === 0 ? 4 : nonZero
  if (to === null) gas += 32_000
  // EIP-3860.
  if (to === null && common.gteHardfork(Hardfork.Shanghai)) gas += 2 * Math.ceil(data.length / 32)
  for (const { storageKeys } of accessList) gas += 2_400 + 1_900 * storageKeys.length
  return BigInt(gas)
}

/** EIP-2929, EIP-2930 and, from Shanghai on, EIP-3651. */
function warm(evm: EVM, { from, to, accessList }: SignedTransaction, miner: Address): void {
  const { journal, common, precompiles } = evm
  for (const address of [...precompiles.keys(), from, ...(to === null ? [] : [to])]) {
    journal.addAlwaysWarmAddress(address)
  }
  if (common.gteHardfork(Hardfork.Shanghai)) journal.addAlwaysWarmAddress(miner)
  for (const { address, storageKeys } of accessList) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}
