import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, type EVMResult } from '@ethereumjs/evm'
import { bytesToHex, concatBytes, Address as EvmAddress, hexToBytes } from '@ethereumjs/util'
import secp256k1 from 'secp256k1'
import { keccak256 } from '#protocol/crypto/keccak'
import type { WorldState } from '#protocol/execution/world-state'
import type { Log } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import { EvmState } from './evm-state.ts'
import { P256_VERIFY, p256Verify } from './p256-verify.ts'
import type { ProgramEra } from './random-program.ts'
import { runAnyInitCode } from './run-any-init-code.ts'

const REVERT = 0xfd

export interface ReferenceMessage {
  from: Address
  to: Address | null
  value: bigint
  data: Uint8Array
  /** Without intrinsic gas. */
  gas: bigint
}

export interface MessageResult {
  status: 0 | 1
  gasUsed: bigint
  refund: bigint
  output: Uint8Array
  logs: Log[]
  destroyed: Address[]
  /** It went wrong where @ethereumjs/evm is known to; nothing after it can be compared. */
  isWrong?: boolean
}

/** @ethereumjs/evm with the rules of Prague and OP's P256VERIFY, or of Osaka, as second opinion on what a message does. */
export class ReferenceEvm {
  readonly #evm: EVM
  readonly #state: EvmState
  #isWrong = false

  constructor(evm: EVM, state: EvmState) {
    this.#evm = evm
    this.#state = state
    // It takes what a creation reverts with for code, if that begins with 0xef, and burns all gas;
    // EIP-3541 is about code that is returned.
    evm.events.on('afterMessage', ({ execResult: { exceptionError, runState } }: EVMResult) => {
      if (exceptionError?.error === 'invalid bytecode deployed' && runState?.opCode === REVERT) {
        this.#isWrong = true
      }
    })
  }

  /** Runs a message of an account whose nonce was counted up already; the world has its effects. */
  async run(
    world: WorldState,
    message: ReferenceMessage,
    context: ReferenceContext,
  ): Promise<MessageResult> {
    const evm = this.#evm
    this.#isWrong = false
    this.#state.world = world
    evm.journal.cleanJournal()
    evm.transientStorage.clear()
    evm.stateManager.originalStorageCache.clear()
    const warm = [...evm.precompiles.keys(), message.from, context.coinbase]
    for (const address of message.to ? [...warm, message.to] : warm) {
      evm.journal.addAlwaysWarmAddress(address)
    }
    const { execResult } = await evm.runCall({
      block: referenceBlock(context),
      gasPrice: context.gasPrice,
      caller: new EvmAddress(hexToBytes(message.from)),
      gasLimit: message.gas,
      ...(message.to && { to: new EvmAddress(hexToBytes(message.to)) }),
      value: message.value,
      data: message.data,
      skipNonceIncrement: true,
    })
    const failed = execResult.exceptionError !== undefined
    const created = execResult.createdAddresses ?? new Set()
    const gone = [...(execResult.selfdestruct?.keys() ?? [])].filter((one) => created.has(one))
    const isRevert = execResult.exceptionError?.error === 'revert' && execResult.runState
    return {
      status: failed ? 0 : 1,
      gasUsed: execResult.executionGasUsed,
      refund: failed ? 0n : (execResult.gasRefund ?? 0n),
      output: failed && !isRevert ? new Uint8Array(0) : execResult.returnValue,
      logs: failed ? [] : (execResult.logs ?? []).map(toLog),
      destroyed: failed ? [] : gone,
      isWrong: this.#isWrong,
    }
  }
}

export interface ReferenceContext {
  coinbase: Address
  gasPrice: bigint
  timestamp: bigint
  number: bigint
  prevRandao: Hash
  gasLimit: bigint
  baseFee: bigint
}

/** What BLOCKHASH answers. */
export function ancestorHash(number: bigint): Uint8Array {
  return keccak256(new TextEncoder().encode(String(number)))
}

function referenceBlock(context: ReferenceContext) {
  return {
    header: {
      number: context.number,
      coinbase: new EvmAddress(hexToBytes(context.coinbase)),
      timestamp: context.timestamp,
      difficulty: 0n,
      prevRandao: hexToBytes(context.prevRandao),
      gasLimit: context.gasLimit,
      baseFeePerGas: context.baseFee,
      slotNumber: 0n,
      getBlobGasPrice: () => 1n,
    },
  }
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: bytesToHex(address), topics: topics.map((topic) => bytesToHex(topic)), data }
}

/** @param chainId what CHAINID answers */
export async function createReferenceEvm(
  chainId: number,
  era: ProgramEra = 'prague',
): Promise<ReferenceEvm> {
  const state = new EvmState()
  const common = createCustomCommon({ chainId }, Mainnet, {
    hardfork: era === 'osaka' ? Hardfork.Osaka : Hardfork.Prague,
    customCrypto: {
      keccak256,
      ecrecover: (digest, v, r, s) =>
        secp256k1.ecdsaRecover(concatBytes(r, s), Number(v - 27n), digest, false).subarray(1),
    },
  })
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => ancestorHash(BigInt(number)) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({
    ...{ common, stateManager: state, blockchain },
    // Osaka has its own.
    customPrecompiles: era === 'osaka' ? [] : [{ address: P256_VERIFY, function: p256Verify }],
  })
  runAnyInitCode(evm)
  return new ReferenceEvm(evm, state)
}
