import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import {
  Account,
  type Address,
  bigIntToUnpaddedBytes,
  bytesToHex,
  createAddressFromString,
  hexToBytes,
} from '@ethereumjs/util'
import type { Hex } from '../wire/hex.ts'
import { CONTRACTS, SENDER_BALANCE, SENDERS } from './accounts.ts'
import type { Contract, Payload, PayloadBlock, PayloadCall, PayloadHeader } from './payload.ts'
import { codeOf, type Program } from './program.ts'
import { slotWord } from './slot-word.ts'
import { type Transfer, watchTransfers } from './watch-transfers.ts'

/** What a call comes to. */
export interface Outcome {
  status: '0x1' | '0x0'
  gasUsed: bigint
  returnData: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
  /** Ether that moved and stayed where it went, in the order of the calls; never from an account to itself. */
  transfers: Transfer[]
}

const TRANSACTION = 21_000n
/** Gas of a byte of calldata by EIP-2028, and the least that it costs in all by EIP-7623. */
const [ZERO_BYTE, BYTE, FLOOR_ZERO_BYTE, FLOOR_BYTE] = [4n, 16n, 10n, 40n]

/** Blocks of the payload, with what each call comes to by `@ethereumjs/evm`, under the rules of Prague. */
export async function outcomesOf({ contracts, blocks }: Payload): Promise<Outcome[][]> {
  const state = new SimpleStateManager()
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: Hardfork.Prague })
  const evm = await createEVM({ common, stateManager: state })
  await putAll(state, contracts)
  const moved = watchTransfers(evm)
  const outcomes: Outcome[][] = []
  for (const [index, block] of blocks.entries()) {
    if (index > 0) await change(state, block)
    const ofBlock: Outcome[] = []
    for (const call of block.calls) {
      const outcome = await outcomeOf(evm, call, block.header)
      ofBlock.push({ ...outcome, transfers: moved() })
    }
    outcomes.push(ofBlock)
  }
  return outcomes
}

/** What a later block overrides before its calls. */
async function change(state: SimpleStateManager, { replaced, rewritten }: PayloadBlock) {
  if (replaced) await putCode(state, replaced.contract, replaced.program)
  if (!rewritten) return
  const address = addressOf(CONTRACTS[rewritten.contract]!)
  if (rewritten.isWhole) await state.clearStorage(address)
  await putSlots(state, address, rewritten.slots)
}

const addressOf = (hex: Hex) => createAddressFromString(hex)

async function putAll(state: SimpleStateManager, contracts: readonly Contract[]): Promise<void> {
  for (const sender of SENDERS)
    await state.putAccount(addressOf(sender), new Account(0n, SENDER_BALANCE))
  for (const [index, { program, balance, nonce, storage }] of contracts.entries()) {
    const address = addressOf(CONTRACTS[index]!)
    await state.putAccount(address, new Account(BigInt(nonce), BigInt(balance)))
    await putCode(state, index, program)
    await putSlots(state, address, storage)
  }
}

async function putSlots(state: SimpleStateManager, address: Address, values: readonly bigint[]) {
  for (const [slot, value] of values.entries())
    await state.putStorage(address, hexToBytes(slotWord(slot)), bigIntToUnpaddedBytes(value))
}

async function putCode(state: SimpleStateManager, contract: number, program: Program) {
  await state.putCode(addressOf(CONTRACTS[contract]!), hexToBytes(codeOf(program)))
}

/** One transaction: intrinsic gas, the call, the refund, what is destroyed. Its nonce is seen by nobody. */
async function outcomeOf(
  evm: EVM,
  { sender, to, value, data, gas }: PayloadCall,
  header: PayloadHeader | undefined,
): Promise<Omit<Outcome, 'transfers'>> {
  const input = hexToBytes(data)
  const [from, target] = [addressOf(SENDERS[sender]!), addressOf(CONTRACTS[to]!)]
  const { intrinsic, floor } = gasOfData(input)
  evm.stateManager.originalStorageCache.clear()
  evm.transientStorage.clear()
  for (const address of [...evm.precompiles.keys(), hexOf(from), hexOf(target)])
    evm.journal.addAlwaysWarmAddress(address)
  const { execResult } = await evm.runCall({
    ...{ caller: from, origin: from, to: target, value, data: input },
    ...{ gasLimit: BigInt(gas) - intrinsic, gasPrice: 0n, skipNonceIncrement: true },
    ...(header && { block: { header: headerOf(header) } }),
  })
  const { exceptionError, executionGasUsed, gasRefund = 0n, returnValue, logs = [] } = execResult
  const created = execResult.createdAddresses ?? new Set()
  for (const gone of exceptionError ? [] : (execResult.selfdestruct?.keys() ?? []))
    if (created.has(gone)) await evm.journal.deleteAccount(addressOf(gone as Hex))
  await evm.journal.cleanup()
  const spent = intrinsic + executionGasUsed
  const refund = exceptionError ? 0n : gasRefund < spent / 5n ? gasRefund : spent / 5n
  const isRevert = exceptionError?.error === 'revert'
  return {
    status: exceptionError ? '0x0' : '0x1',
    gasUsed: spent - refund > floor ? spent - refund : floor,
    returnData: exceptionError && !isRevert ? '0x' : bytesToHex(returnValue),
    logs: (exceptionError ? [] : logs).map(([address, topics, bytes]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(bytes),
    })),
  }
}

const hexOf = (address: Address) => address.toString()

function gasOfData(data: Uint8Array): { intrinsic: bigint; floor: bigint } {
  const zeros = BigInt(data.filter((byte) => byte === 0).length)
  const others = BigInt(data.length) - zeros
  return {
    intrinsic: TRANSACTION + ZERO_BYTE * zeros + BYTE * others,
    floor: TRANSACTION + FLOOR_ZERO_BYTE * zeros + FLOOR_BYTE * others,
  }
}

/** Those that are not overridden are read by no program. */
function headerOf({ number, timestamp, others }: PayloadHeader) {
  return {
    ...{ number, timestamp, difficulty: 0n, getBlobGasPrice: () => undefined },
    coinbase: addressOf(others?.feeRecipient ?? `0x${'00'.repeat(20)}`),
    prevRandao: hexToBytes(others?.prevRandao ?? `0x${'00'.repeat(32)}`),
    gasLimit: others?.gasLimit ?? 0n,
    baseFeePerGas: others?.baseFeePerGas ?? 0n,
  }
}
