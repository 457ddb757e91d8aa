import type { Divergence } from '../chain-view.ts'

/** What a cheat did, for people, by the cause of a divergence. */
const CHEATS: Readonly<Record<string, string>> = {
  timestamp:
    'a block got another time than L1 gives it (evm_increaseTime, evm_setNextBlockTimestamp, evm_setTime, evm_mine, anvil_mine or a timestamp interval)',
  'sequencer drift':
    'transactions stand further ahead of L1 than it allows (evm_mine or anvil_mine of many blocks)',
  state:
    'the state was changed without a transaction (anvil_setBalance, setCode, setNonce, setStorageAt, loadState)',
  impersonation: 'an impersonated account sent a transaction (anvil_impersonateAccount)',
  'base fee': 'the base fee was set (anvil_setNextBlockBaseFeePerGas)',
  prevRandao: 'the randomness was set (anvil_reorg, hardhat_setPrevRandao)',
  'fee recipient': 'the fee recipient was set (anvil_setCoinbase)',
  'gas limit': 'the gas limit was set (evm_setBlockGasLimit)',
  rollback: 'blocks that L1 may know were taken back (anvil_rollback, evm_revert, anvil_reset)',
  branch: 'it is a branch, which has no L1 of its own',
}

const IN_TIME = new Set(['timestamp', 'sequencer drift'])

export interface DivergenceWords {
  /** One sentence: since when, and what did it. */
  what: string
  /** One sentence, or two: what to do. */
  wayOut: string
}

/** Why nothing from here on becomes safe, is proven or withdrawn, and what to do. */
export function divergenceWords({ since, cause }: Divergence): DivergenceWords {
  const cheat = CHEATS[cause] ?? cause
  const start = 'Start a new devnet for proofs and withdrawals, and play such cheats on a branch.'
  return {
    what: `Since block ${since} this chain does not follow from L1: ${cheat}. No block from there on becomes safe, is proven or withdrawn.`,
    wayOut:
      cause === 'branch'
        ? 'Ask the devnet itself for proofs and withdrawals.'
        : IN_TIME.has(cause)
          ? `${start} There rollbed_increaseTime lets time pass on L1 and L2 together, which stays provable.`
          : start,
  }
}
