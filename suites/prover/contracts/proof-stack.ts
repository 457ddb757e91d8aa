import {
  type Abi,
  type ContractFunctionName,
  createPublicClient,
  type Hex,
  http,
  type TransactionReceipt,
} from 'viem'
import { deployBridgeContracts } from '#devnet/l1/deploy-bridge-contracts'
import { type DeployProofParameters, deployProofContracts } from '#devnet/l1/deploy-proof-contracts'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { l1ChainId } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type Call, revertOf } from './revert-of.ts'
import { rewindPoint } from './rewind-point.ts'
import { stopForGood } from './stop-for-good.ts'
import { walletOf } from './wallet-of.ts'

export const genesisRoot: Hex = `0x${'a0'.repeat(32)}`
export const configHash: Hex = `0x${'c0'.repeat(32)}`
export const imageHash: Hex = `0x${'1a'.repeat(32)}`
export const blockInterval = 10n
export const intermediateInterval = 5n

const chain = {
  id: l1ChainId,
  name: 'L1',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const

export type ProofStack = Awaited<ReturnType<typeof startProofStack>>

/** anvil with all L1 contracts, driven through viem; blocks only when a transaction is sent. */
export async function startProofStack(overrides: Partial<DeployProofParameters> = {}) {
  const l1: L1 = await startL1({
    clock: new VirtualClock(),
    genesisTime: 1_700_000_000,
    blockTime: 0,
  })
  const client = createPublicClient({ chain, transport: http(l1.rpcUrl), cacheTime: 0 })
  const sender = { rpcUrl: l1.rpcUrl, chainId: l1ChainId, mine: () => l1.mine() }
  let contracts: L1Addresses
  try {
    const deployed = await deployBridgeContracts({ ...sender, systemConfig })
    contracts = deployed.contracts
    await deployProofContracts({
      ...sender,
      l2GenesisOutputRoot: genesisRoot,
      configHash,
      teeImageHash: imageHash,
      blockInterval: Number(blockInterval),
      intermediateBlockInterval: Number(intermediateInterval),
      ...overrides,
    })
  } catch (error) {
    await l1.stop()
    throw error
  }

  /** Sends a transaction that is expected to succeed, in a block of its own. */
  async function send<const abi extends Abi, name extends ContractFunctionName<abi>>(
    from: DevKey,
    call: Call<abi, name>,
  ): Promise<TransactionReceipt> {
    const wallet = walletOf(l1.rpcUrl, chain, from)
    const hash = await wallet.writeContract({ ...call, gas: 8_000_000n } as never)
    await l1.mine()
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${call.functionName} reverted`)
    return receipt
  }

  return {
    l1,
    client,
    contracts,
    send,
    rewindPoint: () => rewindPoint(client),
    stop: () => stopForGood(l1),
    owner: roleKeys.deployer,
    revertOf: <const abi extends Abi, name extends ContractFunctionName<abi>>(
      from: DevKey,
      call: Call<abi, name>,
    ) => revertOf(client, from.address, call),
  }
}

export const systemConfig = {
  batcherAddress: roleKeys.batcher.address,
  gasLimit: 60_000_000n,
  scalar: `0x01${'00'.repeat(23)}000c5fc500000558` as Hex,
  eip1559Denominator: 250,
  eip1559Elasticity: 6,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 400,
}
