import { concat, createPublicClient, formatEther, getContractAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { createAccountsDriver, DriverError } from './accounts-driver.ts'
import type { Driver, DriverOptions } from './driver.ts'
import { driverTransport } from './driver-transport.ts'

/** As `rollbed conform` knows it. */
export const PRIVATE_KEY_DRIVER = 'private-key'

/** Arachnid's deterministic deployment proxy: salt, then init code. OP chains have it from genesis. */
const CREATE2_PROXY: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SENDERS = 9
/** Gas of one transaction at most: the largest probe takes a third of it. */
const GAS = 500_000n
/** What a sender may need in one run, with as much again for what an OP chain takes for L1. */
const GAS_OF_SENDER = 7_000_000n
const PROBES = 14n
const TIP = 1_000_000n

export interface PrivateKeyDriverOptions extends DriverOptions {
  /** 32 bytes. */
  key: Hex
  /** Told what will be spent at most, before anything is sent. */
  onPlan: (plan: string) => void
}

/**
 * Drives any chain on which one key has a little money. It pays from senders whose keys are derived
 * from that one, so that what is left is there for the next run, and leaves its contracts on the chain
 * for it too.
 *
 * @param options `targets.rpc` the chain; `key` of 32 bytes; `onPlan` told in ETH what is spent at most,
 *   before anything is sent; `clock` and `signal` end what takes too long
 * @returns a driver for `runConformance`
 * @throws DriverError (DRIVER_FAILED) without `targets.rpc`, and when the money is not enough; nothing
 *   was sent then
 * @see reports/drivers.md
 * @example
 * import { createPrivateKeyDriver, systemClock } from 'rollbed/conform'
 *
 * const { rpcUrl, accounts } = devnet.description
 * const driver = await createPrivateKeyDriver({
 *   targets: { rpc: rpcUrl },
 *   key: accounts[8].privateKey,
 *   onPlan: (plan) => console.log(plan),
 *   clock: systemClock,
 *   signal: AbortSignal.timeout(60_000),
 * })
 * await driver.stop?.()
 */
export async function createPrivateKeyDriver(options: PrivateKeyDriverOptions): Promise<Driver> {
  const { targets, key, onPlan, headers } = options
  if (!targets.rpc) throw new DriverError('--private-key needs an L2 RPC URL.', 'Give --rpc.')
  const client = createPublicClient({
    transport: driverTransport(targets.rpc, headers),
  })
  const main = privateKeyToAccount(key)
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    privateKeyToAccount(keccak256(concat([key, `0x${index.toString(16).padStart(2, '0')}`]))),
  )
  const [chainId, block, balance] = await Promise.all([
    client.getChainId(),
    client.getBlock(),
    client.getBalance({ address: main.address }),
  ])
  const fees = {
    maxFeePerGas: 3n * (block.baseFeePerGas ?? 0n) + TIP,
    maxPriorityFeePerGas: TIP,
  }
  const share = GAS_OF_SENDER * fees.maxFeePerGas
  const poor = await withLessThan(share / 2n, senders)
  const most = (PROBES * GAS + GAS_OF_SENDER) * fees.maxFeePerGas + BigInt(poor.length) * share
  onPlan(
    `${main.address} spends at most ${formatEther(most)} ETH on chain ${chainId}: contracts that stay for the next run, and ${formatEther(BigInt(poor.length) * share)} ETH for ${poor.length} senders derived from the key.`,
  )
  if (balance < most) {
    throw new DriverError(
      `${main.address} has ${formatEther(balance)} ETH, and up to ${formatEther(most)} are needed.`,
      'Send it some, or judge by reading: leave --private-key out.',
    )
  }
  const accounts: PrivateKeyAccount[] = [main, ...senders]
  const driver = await createAccountsDriver({
    ...options,
    name: PRIVATE_KEY_DRIVER,
    accounts,
    fees,
    gas: GAS,
  })
  await fund(driver, poor, share)
  return { ...driver, lacksMoney: true, deployOnce: (...asked) => deployOnce(driver, ...asked) }

  async function withLessThan(least: bigint, those: readonly PrivateKeyAccount[]): Promise<Hex[]> {
    const balances = await Promise.all(those.map(({ address }) => client.getBalance({ address })))
    return those.filter((_, index) => balances[index]! < least).map(({ address }) => address)
  }

  async function deployOnce(
    by: Driver,
    name: string,
    initCode: Hex,
    { isFresh }: { isFresh: boolean },
  ): Promise<Hex> {
    const proxyCode = isFresh ? undefined : await client.getCode({ address: CREATE2_PROXY })
    if (!proxyCode) return created(await by.sealed(await by.send({ account: 0, data: initCode })))
    const salt = keccak256(Buffer.from(`rollbed ${name}`))
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: CREATE2_PROXY,
      salt,
      bytecode: initCode,
    })
    const isThere = async () => Boolean(await client.getCode({ address }))
    if (!(await isThere())) {
      const data = concat([salt, initCode])
      await by.sealed(await by.send({ account: 0, to: CREATE2_PROXY, data }))
      if (!(await isThere())) throw new DriverError(`The probe ${name} was not deployed.`)
    }
    return address.toLowerCase() as Hex
  }
}

function created({ contract, succeeded }: { contract: Hex | null; succeeded: boolean }): Hex {
  if (!contract || !succeeded) throw new DriverError('A probe was not deployed.')
  return contract
}

async function fund(driver: Driver, poor: readonly Hex[], share: bigint): Promise<void> {
  const sent: Hex[] = []
  for (const to of poor)
    sent.push(await driver.send({ account: 0, to, value: share, gas: 30_000n }))
  await Promise.all(sent.map((hash) => driver.sealed(hash)))
}
