import type { Sources } from '#devnet/dashboard/read-sources'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import type { Devnet } from '#devnet/start-devnet'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { executionRules } from '#protocol/derivation/execution-rules'
import type { Address } from '#protocol/types/bytes'
import { type BlockCount, describeBlockCounts } from './describe-block-counts.ts'
import { followChain } from './follow-chain.ts'

/** Where the contracts of a chain take counts of blocks for times. */
export interface CountedBlocks {
  counts: BlockCount[]
  /** Blocks and calls that were not looked at: too much gas, or a state that a cheat made. */
  missed: number
}

/**
 * Looks through all that a devnet has executed, and through the calls that it was asked for.
 * @param calls oldest first
 * @param sources what names lines
 */
export async function countBlocks(
  { node: { chain }, config }: Pick<Devnet, 'node' | 'config'>,
  calls: readonly LoggedRequest[],
  sources?: Sources,
): Promise<CountedBlocks> {
  const { uses, missed } = await followChain(chain, executionRules(config), calls)
  const stateRoot = chain.stateRootOf(chain.latest())
  const codeOf = (address: Address) => {
    const account = chain.account(stateRoot, address)
    return account ? bytesToHex(chain.code(account.codeHash)) : '0x'
  }
  return { counts: await describeBlockCounts(uses, codeOf, sources), missed }
}
