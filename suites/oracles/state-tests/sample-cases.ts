import type { TransactionSerializable } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { signAuthorization, signTransaction } from '../differential/sign.ts'

/** One transaction on the state below; what comes of it another engine says. */
export interface SampleCase {
  name: string
  raw: Hex
  /** The name that execution-spec-tests give the reason for refusal. */
  exception?: string
}

export const SAMPLE_ENVIRONMENT = {
  feeRecipient: '0x00000000000000000000000000000000c0ffee00' as Address,
  gasLimit: 30_000_000n,
  baseFeePerGas: 7n,
  timestamp: 1_700_000_000n,
}

const key = (index: number): Hex => `0x${index.toString(16).padStart(64, '0')}`
export const word = (value: number): Hash => `0x${value.toString(16).padStart(64, '0')}`
const address = (suffix: string): Address => `0x${suffix.padStart(40, '0')}`

export const SENDER = key(1)
export const AUTHORITY = key(2)
const POOR = key(3)
export const authority = privateKeyToAddress(AUTHORITY).toLowerCase() as Address

/** SSTORE(0, CALLDATALOAD(0)); SLOAD(1); LOG1 of the value under topic 5. */
export const WRITER = address('11')
/** Clears slots 0 to 3: a refund above a fifth of the gas. */
export const CLEARER = address('12')
/** LOG0, SSTORE(0, 1), REVERT. */
export const REVERTER = address('13')
/** An endless loop. */
const LOOPER = address('14')
/** CREATEs a contract that self-destructs at once, in favour of the caller. */
const PHOENIX = address('15')

/** Precompiles of L1 whose accounts have code; and an address of L1 that is P256VERIFY on L2. */
const SHA_256 = address('2')
const IDENTITY = address('4')
const P256_VERIFY = address('100')

/**
 * SSTORE(1, word), LOG0, CALL of the coinbase, then RETURN, or REVERT where the word is zero: what the
 * contracts at 0x100 do on which the engine once broke, in stReturnDataTest, stRevertTest, VMTests,
 * stEIP150Specific, stEIP150singleCodeGasPrices, Shanghai and Pyspecs of ethereum/tests.
 */
const AT_P256: Hex = '0x5f358060015560205fa05f5f5f5f5f415af15f52601b5760205ffd5b60205ff3'

const CALLER = { balance: 5n, nonce: 1n }
const KINDS = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', STATICCALL: 'fa' }
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]

/** Calls each with the first word and the gas of its calldata; what came of it goes into three slots. */
function calling(kind: keyof typeof KINDS, targets: readonly Address[]): Hex {
  const byte = (number: number) => number.toString(16).padStart(2, '0')
  const worth = kind === 'CALL' || kind === 'CALLCODE' ? '6001' : ''
  const calls = targets.map((target, index) => {
    const slot = 16 + 3 * index
    const call = `6020604060205f${worth}73${target.slice(2)}602035${KINDS[kind]}`
    // Status + 1, RETURNDATASIZE + 1, the word that came.
    return `${call}60010160${byte(slot)}553d60010160${byte(slot + 1)}5560405160${byte(slot + 2)}55`
  })
  return `0x5f355f52${calls.join('')}`
}

const ofPrecompiles = (index: number) => address(`2${index}`)
const ofP256 = (index: number) => address(`3${index}`)
const callers: Alloc = Object.fromEntries(
  kinds.flatMap((kind, index) => [
    [ofPrecompiles(index), { ...CALLER, code: calling(kind, [IDENTITY, SHA_256]) }],
    [ofP256(index), { ...CALLER, code: calling(kind, [P256_VERIFY]) }],
  ]),
)

export const SAMPLE_STATE: Alloc = {
  ...callers,
  [IDENTITY]: { balance: 1n, nonce: 1n, code: '0x60015f555f195f5260205ff3' },
  [SHA_256]: { balance: 0n, nonce: 1n, code: `0xef0100${WRITER.slice(2)}` },
  [P256_VERIFY]: { balance: 0n, nonce: 1n, code: AT_P256 },
  [privateKeyToAddress(SENDER).toLowerCase()]: { balance: 10n ** 18n, nonce: 3n },
  [authority]: { balance: 1n, nonce: 0n },
  [privateKeyToAddress(POOR).toLowerCase()]: { balance: 21_000n * 10n - 1n, nonce: 0n },
  [WRITER]: {
    balance: 0n,
    nonce: 1n,
    code: '0x5f355f556001545f52600560205fa1',
    storage: { [word(1)]: word(0x2a) },
  },
  [CLEARER]: {
    balance: 0n,
    nonce: 1n,
    code: '0x5f5f555f6001555f6002555f600355',
    storage: Object.fromEntries([0, 1, 2, 3].map((slot) => [word(slot), word(1)])),
  },
  [REVERTER]: { balance: 0n, nonce: 1n, code: '0x5f5fa060015f555f5ffd' },
  [LOOPER]: { balance: 0n, nonce: 1n, code: '0x5b5f56' },
  // PUSH2 33ff (CALLER SELFDESTRUCT), MSTORE, CREATE(1 wei, 30, 2).
  [PHOENIX]: { balance: 5n, nonce: 1n, code: '0x6133ff5f526002601e6001f000' },
}

const base = { chainId: 1, nonce: 3, gas: 200_000n, maxFeePerGas: 20n, maxPriorityFeePerGas: 2n }

function sample(
  name: string,
  transaction: TransactionSerializable,
  signer: Hex = SENDER,
): SampleCase {
  return { name, raw: signTransaction(signer, transaction) }
}

const toCaller = (name: string, to: Address, data: Hex) =>
  sample(name, { ...base, type: 'eip1559', gas: 400_000n, to, data })
const words = (first: number, second: number): Hex =>
  `${word(first)}${word(second).slice(2)}` as Hex

export const SAMPLE_CASES: readonly SampleCase[] = [
  ...kinds.flatMap((kind, index) => [
    toCaller(`${kind} of precompiles with code`, ofPrecompiles(index), words(0x42, 0xffffff)),
    toCaller(
      `${kind} of precompiles with code, for too little gas`,
      ofPrecompiles(index),
      words(0x42, 20),
    ),
    toCaller(`${kind} of a contract at 0x100`, ofP256(index), words(0x42, 0xffffff)),
    toCaller(`${kind} of a contract at 0x100 that reverts`, ofP256(index), words(0, 0xffffff)),
    toCaller(
      `${kind} of a contract at 0x100, for too little gas`,
      ofP256(index),
      words(0x42, 2_000),
    ),
  ]),
  sample('transfer with a tip', { ...base, type: 'eip1559', to: address('aa'), value: 1_000n }),
  sample('transfer without replay protection', {
    type: 'legacy',
    nonce: 3,
    gas: 21_000n,
    gasPrice: 9n,
    to: address('aa'),
    value: 0n,
  }),
  sample('store with an access list', {
    chainId: 1,
    type: 'eip2930',
    nonce: 3,
    gas: 100_000n,
    gasPrice: 7n,
    to: WRITER,
    data: word(0x1234),
    accessList: [{ address: WRITER, storageKeys: [word(0), word(1)] }],
  }),
  sample('refund up to a fifth', { ...base, type: 'eip1559', to: CLEARER }),
  sample('creation with value', {
    ...base,
    type: 'eip1559',
    value: 3n,
    // MSTORE8(0, STOP), SSTORE(0, 1), RETURN(0, 1)
    data: '0x5f5f5360015f5560015ff3',
  }),
  sample('set code and call it', {
    ...base,
    type: 'eip7702',
    to: authority,
    data: word(9),
    authorizationList: [signAuthorization(AUTHORITY, { chainId: 1, address: WRITER, nonce: 0 })],
  }),
  sample('calldata floor', {
    ...base,
    type: 'eip1559',
    to: address('aa'),
    data: `0x${'ff'.repeat(900)}`,
  }),
  sample('revert after a log and a store', { ...base, type: 'eip1559', to: REVERTER }),
  sample('out of gas', { ...base, type: 'eip1559', to: LOOPER, value: 1n, gas: 50_000n }),
  sample('create and self-destruct', { ...base, type: 'eip1559', to: PHOENIX }),
  {
    ...sample(
      'funds one wei short',
      {
        ...base,
        type: 'eip1559',
        nonce: 0,
        gas: 21_000n,
        maxFeePerGas: 10n,
        to: address('aa'),
      },
      POOR,
    ),
    exception: 'TransactionException.INSUFFICIENT_ACCOUNT_FUNDS',
  },
  {
    ...sample('floor one gas short', {
      ...base,
      type: 'eip1559',
      to: address('aa'),
      data: '0xffffff',
      gas: 21_119n,
    }),
    exception: 'TransactionException.INTRINSIC_GAS_BELOW_FLOOR_GAS_COST',
  },
  {
    ...sample('nonce too low', { ...base, type: 'eip1559', nonce: 2, to: address('aa') }),
    exception: 'TransactionException.NONCE_MISMATCH_TOO_LOW',
  },
]
