import { z } from 'zod'
import type { Alloc, AllocAccount } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

/** One transaction on one state, and what Ethereum makes of it under one fork. */
export interface StateCase {
  /** test/fork/index */
  name: string
  fork: string
  environment: {
    feeRecipient: Address
    gasLimit: bigint
    number: bigint
    timestamp: bigint
    prevRandao: Hash
    baseFeePerGas: bigint
    excessBlobGas: bigint
  }
  pre: Alloc
  /** EIP-2718 bytes. */
  transaction: Hex
  sender: Address | undefined
  /** The state root afterwards. */
  stateRoot: Hash
  /** keccak256 of the RLP of the logs. */
  logsHash: Hash
  /** Why the transaction may not stand in a block; undefined when it may. */
  exception: string | undefined
}

const hex = z.string().transform((text) => text.toLowerCase() as Hex)
const quantity = z.string().transform((text) => BigInt(text === '0x' ? 0 : text))
const word = quantity.transform((value): Hash => `0x${value.toString(16).padStart(64, '0')}`)

const account = z
  .object({
    nonce: quantity,
    balance: quantity,
    code: hex,
    storage: z.record(word, word),
  })
  .transform((fields) => fields as AllocAccount)

const stateTest = z.object({
  env: z
    .object({
      currentCoinbase: hex,
      currentGasLimit: quantity,
      currentNumber: quantity,
      currentTimestamp: quantity,
      currentRandom: word.default(`0x${'00'.repeat(32)}`),
      currentBaseFee: quantity.default(0n),
      currentExcessBlobGas: quantity.default(0n),
    })
    .transform((env) => ({
      feeRecipient: env.currentCoinbase,
      gasLimit: env.currentGasLimit,
      number: env.currentNumber,
      timestamp: env.currentTimestamp,
      prevRandao: env.currentRandom,
      baseFeePerGas: env.currentBaseFee,
      excessBlobGas: env.currentExcessBlobGas,
    })),
  pre: z.record(hex, account),
  transaction: z.object({ sender: hex.optional() }),
  post: z.record(
    z.string(),
    z.array(
      z.object({
        hash: hex,
        logs: hex,
        txbytes: hex,
        expectException: z.string().optional(),
      }),
    ),
  ),
})

/**
 * Reads a file of state tests: GeneralStateTests of ethereum/tests, or `state_tests` of the
 * execution-spec-tests. https://eest.ethereum.org/main/consuming_tests/state_test/
 * @throws ZodError when it is something else
 */
export function parseStateTests(json: unknown, forks: readonly string[]): StateCase[] {
  return Object.entries(z.record(z.string(), z.unknown()).parse(json)).flatMap(([test, value]) => {
    const { env, pre, transaction, post } = stateTest.parse(value)
    return forks.flatMap((fork) =>
      (post[fork] ?? []).map((expected, index) => ({
        name: `${test}/${fork}/${index}`,
        fork,
        environment: env,
        pre,
        transaction: expected.txbytes,
        sender: transaction.sender,
        stateRoot: expected.hash,
        logsHash: expected.logs,
        exception: expected.expectException,
      })),
    )
  })
}
