import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { type EVM, EVMError, type ExecResult, getActivePrecompiles } from '@ethereumjs/evm'
import type { Fork } from '../types/execution-config.ts'

type Precompile = Exclude<ReturnType<EVM['getPrecompile']>, undefined>

/**
 * The largest inputs, in bytes. OP spec, Granite (pairing), Isthmus (BLS12-381) and Jovian, all under
 * "EVM Changes": beyond them a call fails and consumes all its gas.
 */
const INPUT_LIMITS: Record<Fork, Record<string, number>> = {
  isthmus: { '08': 112_687, '0c': 513_760, '0e': 488_448, '0f': 235_008 },
  jovian: { '08': 81_984, '0c': 288_960, '0e': 278_784, '0f': 156_672 },
}

/** RIP-7212, which OP has at 0x100 since Fjord; EIP-7951 on L1 costs 6900. */
const P256_VERIFY = '0100'.padStart(40, '0')
const P256_VERIFY_GAS = 3450n
const P256_VERIFY_L1_GAS = 6900n

/** Turns the EVM's precompiles into those of OP. */
export function installPrecompiles(evm: EVM, fork: Fork): void {
  const { precompiles } = evm
  for (const [suffix, limit] of Object.entries(INPUT_LIMITS[fork])) {
    const address = suffix.padStart(40, '0')
    precompiles.set(address, withInputLimit(precompiles.get(address)!, limit))
  }
  precompiles.set(P256_VERIFY, p256Verify())
}

function withInputLimit(precompile: Precompile, limit: number): Precompile {
  return (input) => (input.data.length > limit ? outOfGas(input.gasLimit) : precompile(input))
}

function p256Verify(): Precompile {
  const osaka = createCustomCommon({}, Mainnet, { hardfork: Hardfork.Osaka })
  const verify = getActivePrecompiles(osaka).get(P256_VERIFY)!
  return async (input) => {
    if (input.gasLimit < P256_VERIFY_GAS) return outOfGas(input.gasLimit)
    const result = await verify({ ...input, gasLimit: P256_VERIFY_L1_GAS })
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
