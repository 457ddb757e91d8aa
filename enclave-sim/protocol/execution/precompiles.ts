import { bytesToUnprefixedHex, concatBytes, unprefixedHexToBytes } from '@ethereumjs/util'
import secp256k1 from 'secp256k1'
import { keccak256 } from '../crypto/keccak.ts'
import { verifyKzgProof } from '../crypto/kzg.ts'
import type { Address } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import {
  createCustomCommon,
  createEVM,
  EVMError,
  type ExecResult,
  getActivePrecompiles,
  Hardfork,
  Mainnet,
  type PrecompileInput,
} from './ethereumjs.ts'
import type { PrecompileView } from './executor.ts'

type Precompile = (input: PrecompileInput) => ExecResult | Promise<ExecResult>

/**
 * The largest inputs, in bytes. OP spec, Granite (pairing), Isthmus (BLS12-381) and Jovian, all under
 * "EVM Changes": beyond them a call fails and consumes all its gas.
 */
const INPUT_LIMITS: Record<Fork | 'prague', Record<string, number>> = {
  prague: {},
  isthmus: { '08': 112_687, '0c': 513_760, '0e': 488_448, '0f': 235_008 },
  jovian: { '08': 81_984, '0c': 288_960, '0e': 278_784, '0f': 156_672 },
}

/** RIP-7212, which OP has at 0x100 since Fjord; EIP-7951, which is Osaka's, costs 6900. */
const P256_VERIFY = '0100'.padStart(40, '0')
const P256_VERIFY_GAS = 3450n
const P256_VERIFY_OSAKA_GAS = 6900n

/** The hardfork of Ethereum whose precompiles they are. */
export type PrecompileEra = 'prague' | 'osaka'

export interface PrecompileOutcome {
  output: Uint8Array
  gasUsed: bigint
  /** Why it failed. */
  halt?: { kind: 'out of gas' | 'other'; message: string }
}

/** The contracts of a fork that are part of the protocol. */
export interface Precompiles {
  /** 20 bytes each; warm in every transaction (EIP-2929). */
  addresses: readonly Uint8Array[]
  /** @param view which address runs which of them, where that was changed */
  run(
    call: { address: Uint8Array; input: Uint8Array; gas: bigint },
    view?: PrecompileView,
  ): Promise<PrecompileOutcome>
}

const made = new Map<string, Promise<Precompiles>>()

/**
 * Those of a hardfork of Ethereum, on an OP chain with its limits and its addition; `prague` as fork is
 * L1. They run in JavaScript and native code. All machines have the same: nothing in them changes.
 */
export function precompilesOf(
  fork: Fork | 'prague',
  era: PrecompileEra = 'prague',
): Promise<Precompiles> {
  const name = `${fork} ${era}`
  const known = made.get(name)
  if (known) return known
  const making = createPrecompiles(fork, era)
  made.set(name, making)
  return making
}

async function createPrecompiles(fork: Fork | 'prague', era: PrecompileEra): Promise<Precompiles> {
  const common = createCustomCommon({}, Mainnet, {
    hardfork: era === 'osaka' ? Hardfork.Osaka : Hardfork.Prague,
    customCrypto: {
      keccak256,
      ecrecover: recoverPublicKey,
      kzg: { verifyProof: verifyKzgProof } as never,
    },
  })
  // The curves' implementations hang on an EVM.
  const evm = await createEVM({ common })
  const functions = new Map<string, Precompile>(evm.precompiles)
  for (const [suffix, limit] of Object.entries(INPUT_LIMITS[fork])) {
    const address = suffix.padStart(40, '0')
    functions.set(address, withInputLimit(functions.get(address)!, limit))
  }
  if (fork !== 'prague' && era === 'prague') functions.set(P256_VERIFY, p256Verify())
  return {
    addresses: [...functions.keys()].map(unprefixedHexToBytes),
    async run({ address, input, gas }, view) {
      const key = bytesToUnprefixedHex(address)
      const original: Address = view?.get(`0x${key}`) ?? `0x${key}`
      const precompile = functions.get(original.slice(2))!
      const result = await precompile({ data: input, gasLimit: gas, common, _EVM: evm })
      const { exceptionError, executionGasUsed, returnValue } = result
      return {
        output: returnValue,
        gasUsed: executionGasUsed,
        ...(exceptionError && { halt: haltOfPrecompile(exceptionError) }),
      }
    },
  }
}

function withInputLimit(precompile: Precompile, limit: number): Precompile {
  return (input) => (input.data.length > limit ? outOfGas(input.gasLimit) : precompile(input))
}

function p256Verify(): Precompile {
  const osaka = createCustomCommon({}, Mainnet, { hardfork: Hardfork.Osaka })
  const verify = getActivePrecompiles(osaka).get(P256_VERIFY)!
  return async (input) => {
    if (input.gasLimit < P256_VERIFY_GAS) return outOfGas(input.gasLimit)
    const result = await verify({ ...input, gasLimit: P256_VERIFY_OSAKA_GAS })
    return { ...result, executionGasUsed: P256_VERIFY_GAS }
  }
}

function outOfGas(gasLimit: bigint): ExecResult {
  return {
    returnValue: new Uint8Array(0),
    executionGasUsed: gasLimit,
    exceptionError: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
  }
}

/** ecrecover for the precompile at 0x01; throws where there is no key. */
function recoverPublicKey(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
  return secp256k1.ecdsaRecover(concatBytes(r, s), Number(v - 27n), digest, false).subarray(1)
}

/** The library says that a precompile reverts when its input is bad. */
function haltOfPrecompile({ error }: EVMError): NonNullable<PrecompileOutcome['halt']> {
  const { OUT_OF_GAS, REVERT } = EVMError.errorMessages
  if (error === OUT_OF_GAS) return { kind: 'out of gas', message: 'out of gas' }
  return { kind: 'other', message: error === REVERT ? 'precompile failed' : error }
}
