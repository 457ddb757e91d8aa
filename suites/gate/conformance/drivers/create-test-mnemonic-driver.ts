import { mnemonicToAccount } from 'viem/accounts'
import { createAccountsDriver } from './accounts-driver.ts'
import type { DriverFactory } from './driver.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
/** As `rollbed conform --driver` knows it. */
const BUILT_IN_NAME = 'devnet'
const ACCOUNTS = 10

/**
 * Drives any chain on which the ten accounts of the usual test mnemonic are funded: rollbed's devnet,
 * anvil, supersim and the like.
 *
 * @param options `targets.rpc` the chain; `clock` and `signal` end what takes too long
 * @returns a driver for `runConformance`
 * @throws DriverError (DRIVER_FAILED) without `targets.rpc`
 * @see reports/drivers.md
 * @example
 * import { createTestMnemonicDriver, systemClock } from 'rollbed/conform'
 *
 * const driver = await createTestMnemonicDriver({
 *   targets: { rpc: devnet.description.rpcUrl },
 *   clock: systemClock,
 *   signal: AbortSignal.timeout(60_000),
 * })
 * console.log(driver.name)
 * await driver.stop?.()
 */
export const createTestMnemonicDriver: DriverFactory = (options) =>
  createAccountsDriver({
    ...options,
    name: BUILT_IN_NAME,
    accounts: Array.from({ length: ACCOUNTS }, (_, addressIndex) =>
      mnemonicToAccount(MNEMONIC, { addressIndex }),
    ),
    fees: { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000n },
    gas: 1_000_000n,
  })
