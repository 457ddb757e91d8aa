import fc from 'fast-check'
import { CONTRACTS, LOOP, STORAGE } from '#devnet/l2/node/rpc/testing/contracts'
import { alice, bob, word } from '#devnet/l2/node/rpc/testing/test-node'
import { corrupted } from './corrupted.ts'

const PRECOMPILES = [1, 2, 4, 5, 8, 11, 256].map((n) => `0x${n.toString(16).padStart(40, '0')}`)

/** `bytes` bytes of hex. */
const hexOf = (bytes: { minLength: number; maxLength: number }) =>
  fc.uint8Array(bytes).map((array) => `0x${Buffer.from(array).toString('hex')}`)
const small = fc.nat({ max: 3 }).map((n) => `0x${n.toString(16)}`)
const slot = fc.oneof(small, fc.constant(word(1)))
const address = fc.oneof(
  // LOOP would use up all gas each time it is drawn.
  fc.constantFrom<string>(alice, bob, ...Object.keys(CONTRACTS).filter((at) => at !== LOOP)),
  fc.constantFrom(...PRECOMPILES),
)
const bytes = fc.oneof(
  hexOf({ minLength: 0, maxLength: 100 }),
  small.map((n) => word(n as '0x1')),
)
const tag = fc.constantFrom('latest', 'pending', 'safe', 'finalized', 'earliest', 'LATEST')
const selector = fc.oneof(tag, fc.constantFrom('0x0', '0x1', '0x01'))
const stateSelector = fc.oneof(selector, fc.record({ blockNumber: selector }))
const hash = hexOf({ minLength: 32, maxLength: 32 })

const authorization = fc.record({
  chainId: small,
  address,
  nonce: small,
  yParity: fc.constantFrom('0x0', '0x1'),
  r: hash,
  s: hash,
})
const fees = fc.constantFrom(
  {},
  { gasPrice: '0x77359400' },
  { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
  { maxFeePerGas: '0x1' },
)
const callObject = fc
  .tuple(
    fc.record(
      {
        from: fc.constantFrom(alice, bob, STORAGE),
        to: address,
        gas: fc.constantFrom('0x186a0', '0xf4240', '0x5208'),
        value: small,
        data: bytes,
        nonce: small,
        accessList: fc.array(fc.record({ address, storageKeys: fc.array(slot) }), { maxLength: 2 }),
        authorizationList: fc.array(authorization, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['to'] },
    ),
    fees,
  )
  .map(([call, prices]) => ({ ...call, ...prices }))

const slots = fc.dictionary(slot, slot, { maxKeys: 3 })
const override = fc.record(
  { balance: small, nonce: small, code: bytes, stateDiff: slots },
  { requiredKeys: [] },
)
const stateOverrides = fc.dictionary(
  address,
  fc.oneof(override, fc.record({ state: slots }), fc.record({ movePrecompileToAddress: address })),
  { maxKeys: 2 },
)
const blockOverrides = fc.record(
  {
    number: fc.constantFrom('0x3', '0x10', '0x64'),
    time: fc.constant('0x70000000'),
    gasLimit: fc.constantFrom('0x1c9c380', '0x186a0'),
    feeRecipient: address,
    prevRandao: slot,
    baseFeePerGas: small,
    blobBaseFee: small,
  },
  { requiredKeys: [] },
)
const filter = fc.record(
  {
    fromBlock: fc.constantFrom('earliest', '0x0', 'pending'),
    toBlock: fc.constantFrom('pending', '0x9'),
    address: fc.oneof(address, fc.array(address, { maxLength: 3 })),
    topics: fc.array(fc.oneof(fc.constant(null), hash, fc.array(hash)), { maxLength: 4 }),
  },
  { requiredKeys: [] },
)
const simulation = fc.record(
  {
    blockStateCalls: fc.array(
      fc.record(
        {
          calls: fc.array(callObject, { maxLength: 3 }),
          stateOverrides,
          blockOverrides,
        },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    traceTransfers: fc.boolean(),
    validation: fc.boolean(),
    returnFullTransactions: fc.boolean(),
  },
  { requiredKeys: ['blockStateCalls'] },
)
const call = [callObject, stateSelector, stateOverrides, blockOverrides]
const account = [address, stateSelector]

/** Params that are right for methods whose shape matters. */
const SHAPES: Record<string, fc.Arbitrary<unknown>[]> = {
  eth_getBlockByNumber: [selector, fc.boolean()],
  eth_getLogs: [filter],
  eth_call: call,
  eth_estimateGas: call,
  eth_simulateV1: [simulation, stateSelector],
  eth_getStorageAt: [address, slot, stateSelector],
  eth_getProof: [address, fc.array(slot), stateSelector],
  eth_getBalance: account,
  eth_getCode: account,
  eth_getTransactionCount: account,
  eth_feeHistory: [small, selector, fc.constantFrom([], [0, 50, 100])],
  eth_getTransactionByBlockNumberAndIndex: [selector, small],
  eth_sendRawTransaction: [bytes],
}

/** Right params, then, in most cases, one thing in them replaced by something else. */
export function arbitraryParams(method: string): fc.Arbitrary<unknown> {
  const shape = SHAPES[method] ?? [fc.oneof(hash, stateSelector), fc.boolean()]
  const right = fc.tuple(...shape)
  return fc.oneof(right, corrupted(right), corrupted(corrupted(right)))
}
