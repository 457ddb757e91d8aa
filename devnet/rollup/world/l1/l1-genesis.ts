import { l1Alloc } from '#devnet/l1/l1-alloc'
import { genesisBalance } from '#fixtures/chain/constants'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { blockSize } from '#protocol/execution/block'
import { writeAlloc } from '#protocol/execution/genesis'
import { headerHash } from '#protocol/execution/header'
import { NO_REQUESTS, NO_UNCLES } from '#protocol/execution/open-block'
import { HISTORY_STORAGE } from '#protocol/execution/predeploys'
import type { Alloc } from '#protocol/types/account'
import type { Block, Header } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { NO_MINER } from './open-l1-block.ts'

const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
const GAS_LIMIT = 60_000_000n
const BASE_FEE = 1_000_000_000n

/** EIP-2935. */
const HISTORY_CODE: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'
/** The deterministic deployment proxy, which every anvil has. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const CREATE2_DEPLOYER_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

export interface L1Genesis {
  block: Block
  /** What block 1 finds: as with anvil, the header of block 0 names an empty state. */
  stateRoot: Hash
}

/** Block 0 of an L1 as anvil starts it. */
export async function l1Genesis(
  store: StateStore,
  options: { timestamp: bigint; funded: readonly Address[] },
): Promise<L1Genesis> {
  const alloc: Alloc = {
    [HISTORY_STORAGE]: { code: HISTORY_CODE },
    [CREATE2_DEPLOYER]: { code: CREATE2_DEPLOYER_CODE },
    ...l1Alloc(),
  }
  for (const address of options.funded) {
    alloc[address.toLowerCase() as Address] = { balance: genesisBalance }
  }
  const header: Header = {
    parentHash: ZERO_HASH,
    sha3Uncles: NO_UNCLES,
    miner: NO_MINER,
    stateRoot: EMPTY_TRIE_ROOT,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: 0n,
    number: 0n,
    gasLimit: GAS_LIMIT,
    gasUsed: 0n,
    timestamp: options.timestamp,
    extraData: '0x',
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
    baseFeePerGas: BASE_FEE,
    withdrawalsRoot: EMPTY_TRIE_ROOT,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO_HASH,
    requestsHash: NO_REQUESTS,
  }
  const body = { header, transactions: [], receipts: [] }
  return {
    block: { ...body, hash: headerHash(header), size: blockSize(body) },
    stateRoot: await writeAlloc(store, alloc),
  }
}
