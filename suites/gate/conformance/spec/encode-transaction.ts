import type { TransactionSerializable } from 'viem'
import { serializeTransaction } from 'viem/op-stack'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { CaseFailure, notApplicable } from '../case-failure.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectForm } from '../matchers/expect-form.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectString, type JsonObject } from '../matchers/expect-shape.ts'
import type { FieldForm } from '../matchers/field-form.ts'
import type { Hex } from '../wire/hex.ts'
import { HALF_ORDER } from './half-order.ts'
import { keccak256, recoverAddress } from './hash.ts'

const DEPOSIT = '0x7e'

/** Each transaction is told hundreds of times in a run: what follows from it is worked out once. */
const encoded = rememberByContent()
const signers = rememberByContent()
const MOST_REMEMBERED = 5_000

/**
 * A full transaction as its EIP-2718 bytes, by viem.
 *
 * @throws CaseFailure when a member is missing or the type is unknown @throws CaseSetAside for blobs
 */
export function encodeTransaction(transaction: JsonObject): Hex {
  return encoded(transaction, () => encode(transaction))
}

function encode(transaction: JsonObject): Hex {
  expectForms(transaction)
  try {
    return serialize(transaction)
  } catch (error) {
    if (error instanceof RollbedError) throw error
    // What has the form of a transaction need not be one, such as with chain id zero.
    const actual = error instanceof Error ? error.message : String(error)
    throw new CaseFailure({ at: 'transactions[]', expected: 'a whole transaction', actual })
  }
}

function serialize(transaction: JsonObject): Hex {
  if (transaction.type === DEPOSIT) return encodeDeposit(transaction)
  const { yParity, v } = signatureOf(transaction)
  const { r, s } = transaction as { r: Hex; s: Hex }
  return serializeTransaction(unsigned(transaction), { r, s, yParity: Number(yParity), v })
}

/**
 * Who signed a full transaction, by its own members; undefined for a deposit, which nobody signs.
 *
 * @throws CaseFailure when v and yParity pull apart, or s is not canonical
 */
export function signerOf(transaction: JsonObject): Hex | undefined {
  if (transaction.type === DEPOSIT) return undefined
  return signers(transaction, () => recoverSigner(transaction))
}

function recoverSigner(transaction: JsonObject): Hex {
  const { r, s, yParity } = signatureOf(transaction)
  expectThat(s <= HALF_ORDER, 'at most half of the order of the curve', s, 'transactions[].s')
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const hash = keccak256(serializeTransaction(unsigned(transaction)))
  return recoverAddress(hash, `0x${word(r)}${word(s)}0${yParity}`)
}

/** Members of every transaction, and their forms; those of some types only where they are there. */
const FORMS: Readonly<Record<string, FieldForm>> = {
  hash: 'hash',
  type: 'quantity',
  from: 'address',
  nonce: 'quantity',
  gas: 'quantity',
  value: 'quantity',
  input: 'bytes',
}
const FORMS_IF_THERE: Readonly<Record<string, FieldForm>> = {
  gasPrice: 'quantity',
  maxFeePerGas: 'quantity',
  maxPriorityFeePerGas: 'quantity',
  chainId: 'quantity',
  v: 'quantity',
  r: 'quantity',
  s: 'quantity',
  yParity: 'quantity',
  sourceHash: 'hash',
  mint: 'quantity',
}

/** @throws CaseFailure when a member is missing, or not in the form that it has on the wire */
function expectForms(transaction: JsonObject): void {
  const at = (name: string) => `transactions[].${name}`
  for (const [name, form] of Object.entries(FORMS)) expectForm(transaction[name], form, at(name))
  for (const [name, form] of Object.entries(FORMS_IF_THERE))
    if (name in transaction) expectForm(transaction[name], form, at(name))
  // What creates a contract goes to nobody.
  if (transaction.to !== null) expectForm(transaction.to, 'address', at('to'))
}

/** Typed transactions have their parity as v, others 27 more or as EIP-155 says. @throws CaseFailure */
function signatureOf(transaction: JsonObject) {
  const at = (name: string) => expectQuantity(transaction[name], `transactions[].${name}`)
  const [r, s, v] = [at('r'), at('s'), at('v')]
  const yParity = transaction.type !== '0x0' ? v : v >= 35n ? (v - 35n) % 2n : v - 27n
  expectThat(yParity === 0n || yParity === 1n, 'a parity of 0 or 1', v, 'transactions[].v')
  if (transaction.yParity !== undefined)
    expectEqual(at('yParity'), yParity, 'transactions[].yParity')
  return { r, s, v, yParity }
}

function encodeDeposit(transaction: JsonObject): Hex {
  return serializeTransaction({
    ...commonOf(transaction),
    type: 'deposit',
    from: expectString(transaction.from, 'transactions[].from') as Hex,
    sourceHash: expectString(transaction.sourceHash, 'transactions[].sourceHash') as Hex,
    mint: BigInt((transaction.mint as Hex | undefined) ?? '0x0'),
    isSystemTx: transaction.isSystemTx === true,
  })
}

function commonOf(transaction: JsonObject) {
  const at = (name: string) => expectString(transaction[name], `transactions[].${name}`) as Hex
  return {
    to: (transaction.to as Hex | null) ?? undefined,
    value: BigInt(at('value')),
    gas: BigInt(at('gas')),
    data: at('input'),
  }
}

function unsigned(transaction: JsonObject): TransactionSerializable {
  const at = (name: string) => expectQuantity(transaction[name], `transactions[].${name}`)
  const list = (name: string) => expectArray(transaction[name], `transactions[].${name}`) as []
  const common = { ...commonOf(transaction), nonce: Number(at('nonce')) }
  const fees = () => ({
    chainId: Number(at('chainId')),
    maxFeePerGas: at('maxFeePerGas'),
    maxPriorityFeePerGas: at('maxPriorityFeePerGas'),
    accessList: list('accessList'),
  })
  switch (transaction.type) {
    case '0x0': {
      const v = at('v')
      const chainId = v >= 35n ? { chainId: Number((v - 35n) / 2n) } : {}
      return { ...common, ...chainId, type: 'legacy', gasPrice: at('gasPrice') }
    }
    case '0x1':
      return {
        ...common,
        type: 'eip2930',
        chainId: Number(at('chainId')),
        gasPrice: at('gasPrice'),
        accessList: list('accessList'),
      }
    case '0x2':
      return { ...common, ...fees(), type: 'eip1559' }
    case '0x4':
      return {
        ...common,
        ...fees(),
        type: 'eip7702',
        authorizationList: authorizationsOf(transaction),
      }
    case '0x3':
      return notApplicable(
        'The gate encodes no transactions with blobs, which a rollup has none of.',
      )
    default:
      throw new CaseFailure({
        at: 'transactions[].type',
        expected: 'a type that a rollup has: 0x0, 0x1, 0x2, 0x4 or 0x7e',
        actual: transaction.type,
      })
  }
}

function authorizationsOf(transaction: JsonObject) {
  const list = expectArray(transaction.authorizationList, 'transactions[].authorizationList')
  return (list as JsonObject[]).map((each) => {
    const at = (name: string) => expectQuantity(each[name], `authorizationList[].${name}`)
    return {
      chainId: Number(at('chainId')),
      address: expectString(each.address, 'authorizationList[].address') as Hex,
      nonce: Number(at('nonce')),
      r: each.r as Hex,
      s: each.s as Hex,
      yParity: Number(at('yParity')),
    }
  })
}

function rememberByContent() {
  const known = new Map<string, Hex>()
  return (transaction: JsonObject, workOut: () => Hex): Hex => {
    const content = JSON.stringify(transaction)
    const before = known.get(content)
    if (before) return before
    if (known.size >= MOST_REMEMBERED) known.clear()
    const value = workOut()
    known.set(content, value)
    return value
  }
}
