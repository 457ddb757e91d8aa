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

export const SAMPLE_STATE: Alloc = {
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

export const SAMPLE_CASES: readonly SampleCase[] = [
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
