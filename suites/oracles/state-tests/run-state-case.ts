import { encode } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { keccak256, toHex } from 'viem'
import { createExecutor } from '#protocol/execution/create-executor'
import type { OpenBlock } from '#protocol/execution/executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { BASE_FEE_VAULT } from '#protocol/execution/predeploys'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { TransactionMalformed } from '#protocol/transaction/transaction-malformed'
import { hashedKey } from '#protocol/trie/hashed-key'
import { MemoryStore } from '#protocol/trie/memory-store'
import { Trie } from '#protocol/trie/trie'
import type { Receipt } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { Outcome } from './case-run.ts'
import { BLOB_TRANSACTION, explanation } from './exclusions.ts'
import { isExpectedRefusal } from './is-expected-refusal.ts'
import type { StateCase } from './state-case.ts'

export type Verdict =
  | { kind: 'passed' }
  | { kind: 'excluded'; reason: string }
  | { kind: 'differs'; difference: string }
  /** No outcome at all: never explained by a difference of rules. */
  | { kind: 'threw'; error: string }

/** The chain id of every published state test. */
const executor = await createExecutor({ chainId: 1n, fork: 'isthmus' })
const EIP1559 = { denominator: 250, elasticity: 6 }

/**
 * Runs a state test as the only transaction of a block of ours. A state without L1Block has neither
 * L1 nor operator fee, so all that is left of OP's fees is where the base fee goes.
 */
export async function runStateCase(test: StateCase): Promise<Verdict> {
  if (test.transaction.startsWith('0x03')) return { kind: 'excluded', reason: BLOB_TRANSACTION }
  try {
    return await judge(test)
  } catch (error) {
    return { kind: 'threw', error: String(error) }
  }
}

async function judge(test: StateCase): Promise<Verdict> {
  const store = new MemoryStore()
  const block = await openCaseBlock(test, store)
  const outcome = await execute(block, test)
  const difference = compare(test, outcome, await stateRoot(block, store))
  if (!difference) return { kind: 'passed' }
  const touched = block.touched().map(({ address }) => BigInt(address))
  const reason = explanation({ test, outcome, touched })
  return reason ? { kind: 'excluded', reason } : { kind: 'differs', difference }
}

async function openCaseBlock(test: StateCase, store: MemoryStore): Promise<OpenBlock> {
  const { environment } = test
  const parentNumber = environment.number - 1n
  const { header: parent } = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, test.pre),
    fork: 'isthmus',
    timestamp: 0n,
    gasLimit: environment.gasLimit,
    baseFeePerGas: environment.baseFeePerGas,
    eip1559: EIP1559,
    overrides: { number: parentNumber },
  })
  return executor.openBlock({
    store,
    parent,
    parentHash: ancestorHash(parentNumber),
    attributes: {
      ...environment,
      parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
      eip1559: EIP1559,
      minBaseFee: 0n,
      transactions: [],
    },
    blockHash: async (number) => ancestorHash(number),
    baseFeePerGas: environment.baseFeePerGas,
  })
}

/** What BLOCKHASH answers in a state test: the hash of the number in decimal. */
function ancestorHash(number: bigint): Hash {
  return keccak256(toHex(String(number)))
}

async function execute(block: OpenBlock, test: StateCase): Promise<Outcome> {
  try {
    const transaction = decodeTransaction(hexToBytes(test.transaction))
    return { transaction, receipt: await block.execute(transaction) }
  } catch (error) {
    if (error instanceof TransactionInvalid || error instanceof TransactionMalformed) {
      return { refused: error.code }
    }
    throw error
  }
}

/** The root as L1 has it, where the base fee is burnt. OP spec, Predeploys: "BaseFeeVault". */
async function stateRoot(block: OpenBlock, store: StateStore): Promise<Hash> {
  const header = await block.checkpoint()
  const trie = new Trie(store, header.stateRoot)
  trie.delete(hashedKey(BASE_FEE_VAULT))
  return trie.commit()
}

function compare(test: StateCase, outcome: Outcome, root: Hash): string | undefined {
  if ('refused' in outcome) {
    const { refused } = outcome
    if (!test.exception) return `refused with ${refused}`
    if (!isExpectedRefusal(refused, test.exception)) {
      return `refused with ${refused} instead of ${test.exception}`
    }
  } else {
    if (test.exception) return `accepted, in spite of ${test.exception}`
    const { transaction, receipt } = outcome
    if (test.sender && transaction.from !== test.sender) return `sender ${transaction.from}`
    const logs = keccak256(encode(receipt.logs.map(logFields)))
    if (logs !== test.logsHash) return `logs ${logs} instead of ${test.logsHash}`
  }
  return root === test.stateRoot ? undefined : `state ${root} instead of ${test.stateRoot}`
}

function logFields({ address, topics, data }: Receipt['logs'][number]) {
  return [hexToBytes(address), topics.map((topic) => hexToBytes(topic)), data]
}
