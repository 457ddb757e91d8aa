import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { concatBytes, Address as EvmAddress, hexToBytes } from '@ethereumjs/util'
import secp256k1 from 'secp256k1'
import { EMPTY_TRIE_ROOT, keccak256 } from '../crypto/keccak.ts'
import { verifyKzgProof } from '../crypto/kzg.ts'
import type { ExecutionConfig } from '../types/execution-config.ts'
import { EvmState } from './evm-state.ts'
import type { BlockEnvironment } from './executor.ts'
import { installFastLoop } from './install-fast-loop.ts'
import { installFastMemory } from './install-fast-memory.ts'
import { installPrecompiles } from './install-precompiles.ts'
import { runAnyInitCode } from './run-any-init-code.ts'
import { WorldState } from './world-state.ts'

/** One EVM with the rules of an OP chain. It runs one message at a time on `state.world`. */
export interface Machine {
  config: ExecutionConfig
  evm: EVM
  state: EvmState
  /** Unprefixed addresses of the fork's precompiles: warm in every transaction (EIP-2929). */
  warmPrecompiles: readonly string[]
  /** Where BLOCKHASH reads. */
  environment: BlockEnvironment | undefined
}

/**
 * @param logTransfers value transfers emit logs as of EIP-7708 (only for simulations)
 */
export async function createMachine(
  config: ExecutionConfig,
  { logTransfers = false } = {},
): Promise<Machine> {
  const state = new EvmState()
  // Isthmus and Jovian are both Prague for the EVM. OP spec, Isthmus: "Execution Layer".
  const common = createCustomCommon({ chainId: Number(config.chainId) }, Mainnet, {
    hardfork: Hardfork.Prague,
    ...(logTransfers ? { eips: [7708] } : {}),
    customCrypto: {
      keccak256,
      ecrecover: recoverPublicKey,
      kzg: { verifyProof: verifyKzgProof } as never,
    },
  })
  const machine: Omit<Machine, 'evm' | 'warmPrecompiles'> = {
    config,
    state,
    environment: undefined,
  }
  const blockchain = {
    async getBlock(number: number) {
      const hash = await machine.environment?.blockHash(BigInt(number))
      return { hash: () => (hash ? hexToBytes(hash) : new Uint8Array(32)) }
    },
    async putBlock() {},
    shallowCopy() {
      return blockchain
    },
  }
  const evm = await createEVM({ common, stateManager: state, blockchain })
  installPrecompiles(evm, config.fork)
  runAnyInitCode(evm)
  installFastMemory(evm)
  state.world = new WorldState({ get: () => undefined }, EMPTY_TRIE_ROOT)
  await installFastLoop(evm)
  return Object.assign(machine, { evm, warmPrecompiles: [...evm.precompiles.keys()] })
}

/** The block as the EVM's opcodes read it. */
export function evmBlock(environment: BlockEnvironment) {
  return {
    header: {
      number: environment.number,
      coinbase: new EvmAddress(hexToBytes(environment.feeRecipient)),
      timestamp: environment.timestamp,
      difficulty: 0n,
      prevRandao: hexToBytes(environment.prevRandao),
      gasLimit: environment.gasLimit,
      baseFeePerGas: environment.baseFeePerGas,
      slotNumber: 0n,
      getBlobGasPrice: () => environment.blobBaseFee,
    },
  }
}

/** ecrecover for the precompile at 0x01; throws where there is no key. */
function recoverPublicKey(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
  return secp256k1.ecdsaRecover(concatBytes(r, s), Number(v - 27n), digest, false).subarray(1)
}
