import { genesisBalance, l1ChainId, predeploys } from '#fixtures/chain/constants'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { type ContractName, loadContract } from '#fixtures/contracts/load-contract'
import { loadPreinstalls } from '#fixtures/preinstalls/load-preinstalls'
import type { Alloc, AllocAccount } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Fork } from '#protocol/types/execution-config'
import { baseTimeAlloc } from './base-time-alloc.ts'
import { PERMIT2_ADDRESS, permit2Code } from './permit2-code.ts'

export interface L2AllocParameters {
  fork: Fork
  /** Permit2 holds it. */
  chainId: number
  /** Accounts to fund. */
  accounts: readonly Address[]
  /** What each of them holds; wei. */
  balance?: bigint
  /** Receives, on L2, what is withdrawn from the fee vaults. */
  feeRecipient: Address
  /** The L1 ends of the bridges. */
  l1CrossDomainMessenger: Address
  l1StandardBridge: Address
  l1ERC721Bridge: Address
  /** Whether Denim holds at genesis, or comes later; undefined: never, and there is no BaseTime. */
  baseTime?: 'works' | 'waits' | undefined
}

/**
 * The state of the L2 genesis block: predeploys without proxies, the system contracts, what
 * everybody finds on Base (`loadPreinstalls`) and the funded accounts. The same parameters give the same state.
 * Source: OP spec, predeploys and preinstalls.
 */
export function l2Alloc(parameters: L2AllocParameters): Alloc {
  const { fork, chainId, accounts, balance = genesisBalance, feeRecipient } = parameters
  const feeVault = () =>
    predeploy('FeeVault', {
      // FeeVault.recipient, with WithdrawalNetwork.L2 in the byte above it.
      [slot(2)]: word(feeRecipient, 1),
    })
  const alloc: Alloc = {
    [predeploys.weth9]: predeploy('WETH9'),
    [predeploys.l2CrossDomainMessenger]: predeploy('L2CrossDomainMessenger', {
      [slot(3)]: word(parameters.l1CrossDomainMessenger),
    }),
    [predeploys.gasPriceOracle]: predeploy('GasPriceOracle', {
      // isEcotone, isFjord, isIsthmus, isJovian from the low end.
      [slot(0)]: word(fork === 'jovian' ? '0x01010101' : '0x010101'),
    }),
    [predeploys.optimismMintableERC20Factory]: predeploy('OptimismMintableERC20Factory'),
    [predeploys.l2StandardBridge]: predeploy('L2StandardBridge', {
      [slot(1)]: word(parameters.l1StandardBridge),
    }),
    [predeploys.l2ERC721Bridge]: predeploy('L2ERC721Bridge', {
      [slot(0)]: word(parameters.l1ERC721Bridge),
    }),
    [predeploys.optimismMintableERC721Factory]: predeploy('OptimismMintableERC721Factory', {
      [slot(0)]: slot(l1ChainId),
    }),
    [predeploys.l1Block]: predeploy('L1Block'),
    [predeploys.l2ToL1MessagePasser]: predeploy('L2ToL1MessagePasser'),
    [predeploys.sequencerFeeVault]: feeVault(),
    [predeploys.baseFeeVault]: feeVault(),
    [predeploys.l1FeeVault]: feeVault(),
    [predeploys.operatorFeeVault]: feeVault(),
  }
  for (const { address, code } of [...Object.values(systemContracts), ...loadPreinstalls()]) {
    alloc[address] = {
      nonce: 1n,
      code: address === PERMIT2_ADDRESS ? permit2Code(code, chainId) : code,
    }
  }
  if (parameters.baseTime) Object.assign(alloc, baseTimeAlloc(parameters.baseTime))
  for (const address of accounts) alloc[address] = { balance }
  return alloc
}

function predeploy(name: ContractName, storage?: Record<Hash, Hash>): AllocAccount {
  const account: AllocAccount = { nonce: 1n, code: loadContract(name).deployedBytecode }
  if (storage) account.storage = storage
  return account
}

function slot(index: number): Hash {
  return `0x${index.toString(16).padStart(64, '0')}`
}

/** A storage word with `low` at its low end and `next` in the byte above. */
function word(low: Hex, next?: number): Hash {
  const upper = next === undefined ? '' : next.toString(16).padStart(2, '0')
  return `0x${(upper + low.slice(2)).padStart(64, '0')}`
}
