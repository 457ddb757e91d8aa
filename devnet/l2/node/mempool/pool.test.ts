import { describe, expect, it } from 'vitest'
import type { Account } from '#protocol/types/account'
import type { Address } from '#protocol/types/bytes'
import {
  DEPOSIT_TYPE,
  type DepositTransaction,
  type SignedTransaction,
} from '#protocol/types/transaction'
import { Pool } from './pool.ts'
import type { PoolContext } from './pool-context.ts'

const alice: Address = `0x${'aa'.repeat(20)}`
const bob: Address = `0x${'bb'.repeat(20)}`
const carol: Address = `0x${'cc'.repeat(20)}`
const ETHER = 10n ** 18n
const NO_CODE = `0x${'00'.repeat(32)}` as const
const CONTRACT = `0x${'11'.repeat(32)}` as const
const DELEGATED = `0x${'22'.repeat(32)}` as const

let hashes = 0

function transaction(fields: Partial<SignedTransaction> = {}): SignedTransaction {
  return {
    type: 2,
    raw: new Uint8Array(110),
    hash: `0x${(++hashes).toString(16).padStart(64, '0')}`,
    from: alice,
    to: bob,
    value: 0n,
    gas: 21_000n,
    data: new Uint8Array(0),
    chainId: 84538453n,
    nonce: 0n,
    maxFeePerGas: 200n,
    maxPriorityFeePerGas: 10n,
    accessList: [],
    authorizationList: [],
    v: 0n,
    yParity: 0,
    r: 1n,
    s: 1n,
    ...fields,
  }
}

function deposit(from: Address): DepositTransaction {
  const { type: _, ...fields } = transaction({ from })
  return {
    ...fields,
    type: DEPOSIT_TYPE,
    sourceHash: fields.hash,
    mint: 0n,
    isSystemTransaction: false,
  }
}

/** No three of its bytes come twice, so FastLZ finds nothing to shorten. */
function incompressible(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at % 2 === 0 ? at >> 9 : at >> 1))
}

function account(fields: Partial<Account> = {}): Account {
  return { nonce: 0n, balance: ETHER, storageRoot: NO_CODE, codeHash: NO_CODE, ...fields }
}

function context(accounts: Record<Address, Account> = {}, l1Fee = 0n): PoolContext {
  const known: Record<Address, Account> = {
    [alice]: account(),
    [bob]: account(),
    [carol]: account(),
    ...accounts,
  }
  return {
    chainId: 84538453n,
    fork: 'jovian',
    baseFee: 100n,
    gasLimit: 1_000_000n,
    l1: {
      // A transaction of the smallest size pays l1GasPrice * scalar * 16 * 100 / 10^6 (OP spec, Fjord).
      l1GasPrice: l1Fee,
      l1BaseFeeScalar: 625n,
      l1BlobBaseFee: 0n,
      l1BlobBaseFeeScalar: 0n,
      operatorFeeScalar: 0n,
      operatorFeeConstant: 0n,
      daFootprintGasScalar: 400n,
    },
    account: (address) => known[address],
    code: (codeHash) => {
      if (codeHash === CONTRACT) return Uint8Array.of(0x00)
      if (codeHash === DELEGATED) return Uint8Array.of(0xef, 0x01, 0x00, ...new Uint8Array(20))
      return new Uint8Array(0)
    },
  }
}

/** The nonces and senders a block would get. */
function order(pool: Pool, baseFee = 100n): string[] {
  const names: Record<Address, string> = { [alice]: 'a', [bob]: 'b', [carol]: 'c' }
  const selection = pool.select(baseFee)
  const taken: string[] = []
  for (let pooled = selection.next(); pooled; pooled = selection.next()) {
    taken.push(`${names[pooled.transaction.from]}${pooled.transaction.nonce}`)
    selection.accept()
  }
  return taken
}

describe('a transaction that cannot be taken', () => {
  const poor = context({ [alice]: account({ balance: 21_000n * 200n }) })
  const used = context({ [alice]: account({ nonce: 5n }) })
  it.each([
    ['NONCE_TOO_LOW', 'nonce too low: next nonce 5, tx nonce 4', { nonce: 4n }, used],
    ['NONCE_MAX', `nonce has max value: ${2n ** 64n - 1n}`, { nonce: 2n ** 64n - 1n }, context()],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 4200000, tx cost 4200001, overshot 1',
      { value: 1n },
      poor,
    ],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 4200000, tx cost 4200001, overshot 1',
      {},
      { ...context({ [alice]: account({ balance: 4_200_000n }) }, 1n) },
    ],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 0, tx cost 4200000, overshot 4200000',
      { from: `0x${'dd'.repeat(20)}` },
      context(),
    ],
    [
      'INTRINSIC_GAS_TOO_LOW',
      'intrinsic gas too low: gas 20999, minimum needed 21000',
      { gas: 20_999n },
      context(),
    ],
    [
      'FLOOR_GAS_TOO_LOW',
      'insufficient gas for floor data gas cost: gas 21200, minimum needed 21400',
      { gas: 21_200n, data: new Uint8Array(10).fill(1) },
      context(),
    ],
    ['EXCEEDS_BLOCK_GAS_LIMIT', 'exceeds block gas limit', { gas: 1_000_001n }, context()],
    // OP spec, Fjord and Jovian: 3,000 bytes and one more for each 32 of them; 0.8365 × 3,094 − 42.5856, times 400.
    [
      'EXCEEDS_BLOCK_GAS_LIMIT',
      'exceeds block gas limit: its 3000 bytes count as 1018000 gas of DA footprint, and a block holds 1000000',
      { raw: incompressible(3000) },
      context(),
    ],
    [
      'WRONG_CHAIN',
      'invalid chain id for signer: have 1 want 84538453',
      { chainId: 1n },
      context(),
    ],
    [
      'TIP_ABOVE_FEE_CAP',
      'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: 201, maxFeePerGas: 200',
      { maxPriorityFeePerGas: 201n },
      context(),
    ],
    [
      'TRANSACTION_TOO_LARGE',
      'oversized data: transaction size 131073, limit 131072',
      { raw: new Uint8Array(131_073) },
      context(),
    ],
    [
      'INITCODE_TOO_LARGE',
      'max initcode size exceeded: code size 49153, limit 49152',
      { to: null, data: new Uint8Array(49_153), gas: 1_000_000n },
      context(),
    ],
    // geth's words of EIP-7825 (core/txpool/validation.go).
    [
      'GAS_ABOVE_CAP',
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
      { gas: 16_777_217n },
      { ...context(), gasLimit: 30_000_000n, transactionGasCap: 16_777_216n },
    ],
    [
      'SENDER_NOT_EOA',
      `sender not an eoa: address ${alice}`,
      {},
      context({ [alice]: account({ codeHash: CONTRACT }) }),
    ],
  ] as const)('given %s, then the words are: %s', (code, message, fields, at) => {
    const pool = new Pool()
    expect(() => pool.add(transaction(fields), at)).toThrow(
      expect.objectContaining({ name: 'PoolRejected', code, message }),
    )
    expect(pool.size).toBe(0)
  })

  it('given a deposit, then its type is not supported', () => {
    const { from, hash, raw, to, value, gas, data } = transaction()
    const deposit = { type: 0x7e, from, hash, raw, to, value, gas, data } as const
    const add = () =>
      new Pool().add(
        { ...deposit, sourceHash: hash, mint: 0n, isSystemTransaction: false },
        context(),
      )
    expect(add).toThrow('transaction type not supported')
  })

  it('given one that the pool holds, then it is already known', () => {
    const pool = new Pool()
    const known = transaction()
    pool.add(known, context())
    expect(() => pool.add(known, context())).toThrow(/^already known$/)
  })
})

describe('a transaction that is taken', () => {
  it.each([
    ['costs exactly the balance', {}, context({ [alice]: account({ balance: 4_200_000n }) })],
    ['uses exactly the block gas limit', { gas: 1_000_000n }, context()],
    ['has no replay protection', { type: 0, chainId: undefined }, context()],
    ['pays less than the base fee now', { maxFeePerGas: 50n }, context()],
    ['leaves a gap of nonces', { nonce: 7n }, context()],
    ['comes from a delegating account', {}, context({ [alice]: account({ codeHash: DELEGATED }) })],
  ] as const)('given one that %s, then the pool holds it', (_, fields, at) => {
    const pool = new Pool()
    const added = transaction(fields)
    pool.add(added, at)
    expect(pool.get(added.hash)).toBe(added)
  })
})

describe('replacement', () => {
  const first = { maxFeePerGas: 200n, maxPriorityFeePerGas: 10n }
  it.each([
    [{ maxFeePerGas: 220n, maxPriorityFeePerGas: 11n }, true],
    [{ maxFeePerGas: 219n, maxPriorityFeePerGas: 11n }, false],
    [{ maxFeePerGas: 220n, maxPriorityFeePerGas: 10n }, false],
    [{ maxFeePerGas: 400n, maxPriorityFeePerGas: 10n }, false],
    [{ maxFeePerGas: 200n, maxPriorityFeePerGas: 100n }, false],
  ])(
    'given one of fees 200/10, when it is replaced by %o, then that is allowed: %s',
    (fees, allowed) => {
      const discarded: string[] = []
      const pool = new Pool(({ hash }, { code }) => discarded.push(`${hash} ${code}`))
      const older = transaction(first)
      const newer = transaction(fees)
      pool.add(older, context())
      if (!allowed) {
        expect(() => pool.add(newer, context())).toThrow(/^replacement transaction underpriced$/)
        expect(pool.transactions()).toEqual([older])
        return
      }
      pool.add(newer, context())
      expect(pool.transactions()).toEqual([newer])
      expect(discarded).toEqual([`${older.hash} TRANSACTION_REPLACED`])
      expect(order(pool)).toEqual(['a0'])
    },
  )
})

describe('order', () => {
  it('given several senders, then effective tip counts, then arrival, with each sender in nonce order', () => {
    const pool = new Pool()
    pool.add(transaction({ from: alice, nonce: 1n, maxPriorityFeePerGas: 90n }), context())
    pool.add(transaction({ from: bob, maxPriorityFeePerGas: 20n }), context())
    pool.add(transaction({ from: carol, maxPriorityFeePerGas: 20n }), context())
    pool.add(transaction({ from: alice, nonce: 0n, maxPriorityFeePerGas: 5n }), context())
    pool.add(transaction({ from: carol, nonce: 1n, maxPriorityFeePerGas: 30n }), context())
    expect(order(pool)).toEqual(['b0', 'c0', 'c1', 'a0', 'a1'])
  })

  it('given a fee cap, then the tip that is left above the base fee counts, and who cannot pay it is left out', () => {
    const pool = new Pool()
    pool.add(transaction({ from: alice, maxFeePerGas: 101n, maxPriorityFeePerGas: 50n }), context())
    pool.add(transaction({ from: bob, maxFeePerGas: 200n, maxPriorityFeePerGas: 2n }), context())
    pool.add(transaction({ from: carol, maxFeePerGas: 99n, maxPriorityFeePerGas: 99n }), context())
    expect(order(pool)).toEqual(['b0', 'a0'])
    expect(order(pool, 90n)).toEqual(['a0', 'c0', 'b0'])
  })

  it('given a gap in nonces, then it stops there until it is closed', () => {
    const pool = new Pool()
    for (const nonce of [0n, 2n, 3n]) pool.add(transaction({ nonce }), context())
    expect(order(pool)).toEqual(['a0'])
    expect(pool.nextNonce(alice)).toBe(1n)
    pool.add(transaction({ nonce: 1n }), context())
    expect(order(pool)).toEqual(['a0', 'a1', 'a2', 'a3'])
    expect(pool.nextNonce(alice)).toBe(4n)
    expect(pool.nextNonce(bob)).toBeUndefined()
  })

  it('given a transaction that was not accepted, then its sender is left out', () => {
    const pool = new Pool()
    pool.add(transaction({ nonce: 0n }), context())
    pool.add(transaction({ nonce: 1n }), context())
    pool.add(transaction({ from: bob, maxPriorityFeePerGas: 1n }), context())
    const selection = pool.select(100n)
    expect(selection.next()?.transaction.from).toBe(alice)
    expect(selection.next()?.transaction.from).toBe(bob)
    expect(selection.next()).toBeUndefined()
  })
})

describe('inclusion', () => {
  it('given a block, then what stands in it and what it makes impossible is removed, and the order goes on after it', () => {
    const discarded: string[] = []
    const pool = new Pool((_, { message }) => discarded.push(message))
    const rival = transaction({ nonce: 1n })
    const sent = [0n, 1n, 2n].map((nonce) => transaction({ nonce }))
    for (const each of sent) pool.add(each, context())
    pool.included([sent[0]!, rival], () => 2n)
    expect(pool.transactions()).toEqual([sent[2]])
    expect(discarded).toEqual(['nonce too low: next nonce 2, tx nonce 1'])
    expect(order(pool)).toEqual(['a2'])
  })

  it('given deposits that took the nonces of who waits for one, then he is next, or was overtaken', () => {
    const discarded: string[] = []
    const pool = new Pool((_, { message }) => discarded.push(message))
    for (const nonce of [1n, 2n]) pool.add(transaction({ nonce }), context())
    expect(order(pool)).toEqual([])
    pool.included([deposit(alice), deposit(alice), deposit(bob)], () => 2n)
    expect(discarded).toEqual(['nonce too low: next nonce 2, tx nonce 1'])
    expect(order(pool)).toEqual(['a2'])
  })

  it('given nonces that an authorization or a delegated account used, when a block is sealed, then who waited is next', () => {
    const discarded: string[] = []
    const pool = new Pool((_, { message }) => discarded.push(message))
    for (const nonce of [1n, 2n]) pool.add(transaction({ nonce }), context())
    pool.add(transaction({ from: bob, nonce: 0n }), context())
    expect(order(pool)).toEqual(['b0'])
    pool.refreshWaiting((sender) => {
      expect(sender).toBe(alice)
      return 2n
    })
    expect(discarded).toEqual(['nonce too low: next nonce 2, tx nonce 1'])
    expect(order(pool).sort()).toEqual(['a2', 'b0'])
  })

  it('given a deposit beside a transaction of the same sender, then that one is not said to be discarded', () => {
    const discarded: string[] = []
    const pool = new Pool((_, { message }) => discarded.push(message))
    const sent = transaction({ nonce: 1n })
    pool.add(sent, context())
    pool.included([deposit(alice), sent], () => 2n)
    expect(discarded).toEqual([])
    expect(pool.size).toBe(0)
  })
})

describe('bounds', () => {
  it('given one sender, then it holds at most its share, but may still replace', () => {
    const pool = new Pool(() => {}, { perSender: 2 })
    pool.add(transaction({ nonce: 0n }), context())
    pool.add(transaction({ nonce: 1n }), context())
    expect(() => pool.add(transaction({ nonce: 2n }), context())).toThrow(
      expect.objectContaining({ code: 'SENDER_LIMIT' }),
    )
    pool.add(transaction({ nonce: 1n, maxFeePerGas: 300n, maxPriorityFeePerGas: 20n }), context())
    expect(pool.size).toBe(2)
  })

  it('given a full pool, when one comes that pays more, then it gets the place of the cheapest last transaction', () => {
    const discarded: string[] = []
    const pool = new Pool(
      ({ from, nonce }, { code }) => discarded.push(`${from}${nonce} ${code}`),
      {
        total: 3,
      },
    )
    pool.add(transaction({ from: alice, nonce: 0n, maxPriorityFeePerGas: 1n }), context())
    pool.add(transaction({ from: alice, nonce: 1n, maxPriorityFeePerGas: 50n }), context())
    pool.add(transaction({ from: bob, maxPriorityFeePerGas: 30n }), context())
    const equal = transaction({ from: carol, maxPriorityFeePerGas: 30n })
    expect(() => pool.add(equal, context())).toThrow(/^txpool is full$/)
    pool.add(transaction({ from: carol, maxPriorityFeePerGas: 31n }), context())
    expect(discarded).toEqual([`${bob}0 TRANSACTION_EVICTED`])
    expect(order(pool)).toEqual(['c0', 'a0', 'a1'])
  })
})
