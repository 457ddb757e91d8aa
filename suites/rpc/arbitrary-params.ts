import fc from 'fast-check'
import { CONTEXT, ECHO, LOGGER, STORAGE } from '../../devnet/node/rpc/testing/contracts.ts'
import { alice, bob, word } from '../../devnet/node/rpc/testing/test-node.ts'

const hexOf = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength, maxLength })
    .map((digits) => `0x${digits.join('')}`)

const tag = fc.constantFrom(
  'latest',
  'pending',
  'safe',
  'finalized',
  'earliest',
  'Latest',
  'newest',
)
const address = fc.constantFrom<string>(alice, bob, ECHO, STORAGE, LOGGER, CONTEXT)
const quantity = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 4n }).map((n) => `0x${n.toString(16)}`) },
  { weight: 1, arbitrary: hexOf(0, 66) },
)
const selector = fc.oneof(tag, quantity, hexOf(64, 64), fc.record({ blockNumber: quantity }))
const hex = fc.oneof(hexOf(0, 70), hexOf(40, 40), hexOf(64, 64), fc.constant(word(1)))

/** JSON that is wrong in most places. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, true, -1, 1e300, '', '0x', '0X1', '16', [], {}, [[]], 'constructor'),
)

/** Mostly what is wanted, now and then anything. */
const mostly = (wanted: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: wanted }, { weight: 1, arbitrary: junk })

const callObject = fc.record(
  {
    from: mostly(address),
    to: mostly(address),
    gas: mostly(fc.constantFrom('0x5208', '0x186a0', '0x1')),
    gasPrice: mostly(quantity),
    maxFeePerGas: mostly(fc.constantFrom('0x0', '0x77359400', '0x1')),
    maxPriorityFeePerGas: mostly(quantity),
    value: mostly(quantity),
    data: mostly(hex),
    input: mostly(hex),
    nonce: mostly(quantity),
    accessList: mostly(fc.array(fc.record({ address, storageKeys: fc.array(hex) }))),
    authorizationList: mostly(fc.array(fc.record({ chainId: quantity, address, nonce: quantity }))),
  },
  { requiredKeys: [] },
)

const stateOverrides = fc.dictionary(
  mostly(fc.oneof(address, hexOf(40, 40))).map(String),
  mostly(
    fc.record(
      {
        balance: mostly(quantity),
        nonce: mostly(quantity),
        code: mostly(hex),
        state: mostly(fc.dictionary(quantity, quantity)),
        stateDiff: mostly(fc.dictionary(quantity, quantity)),
        movePrecompileToAddress: mostly(address),
      },
      { requiredKeys: [] },
    ),
  ),
  { maxKeys: 3 },
)

const blockOverrides = fc.dictionary(
  fc.constantFrom('number', 'time', 'gasLimit', 'feeRecipient', 'prevRandao', 'baseFeePerGas', 'x'),
  mostly(fc.oneof(quantity, address)),
)

const filter = fc.record(
  {
    fromBlock: mostly(selector),
    toBlock: mostly(selector),
    address: mostly(fc.oneof(address, fc.array(address))),
    topics: mostly(fc.array(fc.oneof(fc.constant(null), hex, fc.array(hex)), { maxLength: 5 })),
    blockHash: mostly(hex),
  },
  { requiredKeys: [] },
)

const simulation = fc.record({
  blockStateCalls: mostly(
    fc.array(
      fc.record(
        {
          calls: mostly(fc.array(mostly(callObject), { maxLength: 3 })),
          stateOverrides: mostly(stateOverrides),
          blockOverrides: mostly(blockOverrides),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
  ),
  traceTransfers: mostly(fc.boolean()),
  validation: mostly(fc.boolean()),
  returnFullTransactions: mostly(fc.boolean()),
})

const SHAPED = {
  eth_getBlockByNumber: [selector, fc.boolean()],
  eth_getLogs: [filter],
  eth_call: [callObject, selector, stateOverrides, blockOverrides],
  eth_estimateGas: [callObject, selector, stateOverrides, blockOverrides],
  eth_simulateV1: [simulation, selector],
  eth_getStorageAt: [address, hex, selector],
  eth_getProof: [address, fc.array(hex), selector],
  eth_feeHistory: [quantity, selector, fc.array(fc.double({ min: 0, max: 100, noNaN: true }))],
  eth_getTransactionByBlockNumberAndIndex: [selector, quantity],
} satisfies Record<string, fc.Arbitrary<unknown>[]>

/** Params for a method: near to right where we know its shape, else hex, selectors and junk. */
export function arbitraryParams(method: string): fc.Arbitrary<unknown> {
  const shape: fc.Arbitrary<unknown>[] | undefined = Object.entries(SHAPED).find(
    ([name]) => name === method,
  )?.[1]
  const list = shape
    ? fc.tuple(...shape.map(mostly))
    : fc.array(mostly(fc.oneof(hex, selector, address)), { maxLength: 4 })
  return fc.oneof(
    { weight: 12, arbitrary: list },
    { weight: 2, arbitrary: list.map((params) => params.slice(0, -1)) },
    { weight: 1, arbitrary: junk },
  )
}
