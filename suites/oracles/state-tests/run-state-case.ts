import { encode } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { keccak256, toHex } from 'viem'
import type { OpenBlock } from '#protocol/execution/executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { createMachine, type Machine } from '#protocol/execution/machine'
import { openBlock } from '#protocol/execution/open-block'
import { precompilesOf } from '#protocol/execution/precompiles'
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
import { EQUAL_WITHOUT_P256, explanation, P256_VERIFY, unfit } from './exclusions.ts'
import { isExpectedRefusal } from './is-expected-refusal.ts'
import type { StateCase } from './state-case.ts'

export type Verdict =
  | { kind: 'passed' }
  | { kind: 'excluded'; reason: string }
  | { kind: 'differs'; difference: string }
  /** No outcome at all: never explained by a difference of rules. */
  | { kind: 'threw'; error: string }

/** The chain id of every published state test. */
const ofL2 = await createMachine({ chainId: 1n, fork: 'isthmus' })
/** The same, but 0x100 is an address like any other. */
const prague = await precompilesOf('prague')
const withoutP256: Machine = { ...ofL2, precompiles: { ...ofL2.precompiles, prague } }
/** A chain on which Azul is there from the start. */
const osaka = await createMachine({ chainId: 1n, fork: 'isthmus', upgrades: { azul: 'genesis' } })
const EIP1559 = { denominator: 250, elasticity: 6 }

/**
 * Runs a state test as the only transaction of a block of ours. A state without L1Block has neither
 * L1 nor operator fee, so all that is left of OP's fees is where the base fee goes.
 */
export async function runStateCase(test: StateCase): Promise<Verdict> {
  const reason = unfit(test)
  if (reason) return { kind: 'excluded', reason }
  try {
    return await judge(test)
  } catch (error) {
    return { kind: 'threw', error: String(error) }
  }
}

async function judge(test: StateCase): Promise<Verdict> {
  const isOsaka = test.fork === 'Osaka'
  const run = await runOn(isOsaka ? osaka : ofL2, test)
  if (!run.difference) return { kind: 'passed' }
  if (!isOsaka && run.touched.includes(P256_VERIFY)) {
    // Whatever else is in the case is still to be as Ethereum has it.
    const other = await runOn(withoutP256, test)
    if (!other.difference) return { kind: 'excluded', reason: EQUAL_WITHOUT_P256 }
  }
  const reason = explanation(run)
  return reason ? { kind: 'excluded', reason } : { kind: 'differs', difference: run.difference }
}

async function runOn(machine: Machine, test: StateCase) {
  const store = new MemoryStore()
  const block = await openCaseBlock(machine, test, store)
  const outcome = await execute(block, test)
  const difference = compare(test, outcome, await stateRoot(block, store))
  const touched = block.touched().map(({ address }) => BigInt(address))
  return { test, outcome, difference, touched }
}

async function openCaseBlock(
  machine: Machine,
  test: StateCase,
  store: MemoryStore,
): Promise<OpenBlock> {
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
  return openBlock(machine, {
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
