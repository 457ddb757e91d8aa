import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import type { TransactionSerializable } from 'viem'
import { encodeDeposit } from '#protocol/transaction/encode-deposit'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import {
  type Actor,
  CHAIN_ID,
  COINBASE,
  DEPOSITOR,
  L1_BLOCK,
  type RandomAccounts,
} from './random-accounts.ts'
import { deploying, randomProgram } from './random-code.ts'
import type { RandomSource } from './random-source.ts'
import { signAuthorization, signTransaction } from './sign.ts'

/** What the generator expects of the state while it makes the transactions of one block. */
export interface Expectation {
  random: RandomSource
  accounts: RandomAccounts
  baseFee: bigint
  nonces: Map<Address, bigint>
  /** No transactions of type 4 (EIP-7702), and no rule broken on purpose: the other engine cannot do with them. */
  isPlain?: boolean
}

/** What is expected once an engine has told how many transactions everybody has sent. */
export async function expectationOf(
  engine: { nonce(address: Address): Promise<bigint> },
  known: Omit<Expectation, 'nonces'>,
): Promise<Expectation> {
  const nonces = new Map<Address, bigint>()
  for (const { address } of [...known.accounts.senders, ...known.accounts.authorities]) {
    nonces.set(address, await engine.nonce(address))
  }
  return { ...known, nonces }
}

/** The first transaction of a block: new fee parameters in L1Block. */
export function attributesDeposit({ random }: Expectation): Hex {
  return deposit({
    random,
    from: DEPOSITOR,
    to: L1_BLOCK,
    gas: 1_000_000n,
    data: concatBytes(...feeParameters(random)),
  })
}

/** The words of L1Block that L1's part of the fee is worked out from; `world` says in which slots they are. */
export function feeParameters(random: RandomSource): Uint8Array[] {
  const scalars = concatBytes(
    new Uint8Array(16),
    u32(random.below(5_000)),
    u32(random.below(1_000_000)),
    new Uint8Array(8),
  )
  const operator = concatBytes(
    new Uint8Array(20),
    u32(random.oneIn(2) ? 0 : random.below(1 << 30)),
    new Uint8Array(4),
    u32(random.below(1 << 30)),
  )
  return [number(random.below(50_000_000_000)), scalars, number(random.below(10_000_000)), operator]
}

/** Any transaction, most of them valid. */
export function randomTransaction(expectation: Expectation): Hex {
  return expectation.random.oneIn(6) ? randomDeposit(expectation) : randomSigned(expectation)
}

function randomDeposit({ random, accounts, nonces }: Expectation): Hex {
  const from = random.oneIn(3)
    ? random.pick(accounts.senders).address
    : random.pick(accounts.everyone)
  bump(nonces, from)
  const creates = random.oneIn(5)
  const gas = random.oneIn(8) ? random.below(30_000) : 21_000 + random.below(300_000)
  return deposit({
    random,
    from,
    to: creates ? null : random.pick(accounts.everyone),
    mint: random.oneIn(2) ? BigInt(random.below(1_000_000)) : 0n,
    value: random.oneIn(2) ? BigInt(random.below(1_000_000)) : 0n,
    gas: BigInt(gas),
    isSystemTransaction: random.oneIn(20),
    data: creates ? initCode(random, accounts) : random.bytes(random.below(80)),
  })
}

function deposit(fields: {
  random: RandomSource
  from: Address
  to: Address | null
  gas: bigint
  data: Uint8Array
  mint?: bigint
  value?: bigint
  isSystemTransaction?: boolean
}): Hex {
  const { random, ...rest } = fields
  const sourceHash: Hash = bytesToHex(random.bytes(32))
  const defaults = { mint: 0n, value: 0n, isSystemTransaction: false }
  return bytesToHex(encodeDeposit({ sourceHash, ...defaults, ...rest }))
}

/** A transaction with a signature, most of them valid. */
export function randomSigned(expectation: Expectation): Hex {
  const { random, accounts, nonces, isPlain = false } = expectation
  const sender = random.pick(accounts.senders)
  const nonce = nonces.get(sender.address)!
  const creates = random.oneIn(5)
  const probes = !creates && random.oneIn(8)
  const data = creates
    ? initCode(random, accounts, isPlain)
    : probes
      ? probe(random, accounts)
      : callData(random)
  const gas = 21_000 + (random.oneIn(10) ? random.below(40_000) : 60_000 + random.below(700_000))
  const common = {
    chainId: CHAIN_ID,
    nonce: Number(nonce),
    gas: BigInt(gas),
    to: creates ? undefined : probes ? accounts.prober : random.pick(accounts.everyone),
    value: random.oneIn(2) ? 0n : BigInt(random.below(1_000)),
    data: bytesToHex(data),
  }
  const good = withFees(expectation, common, creates, sender)
  const transaction = expectation.isPlain
    ? { transaction: good, spoilt: false }
    : spoil(random, good)
  // A spoilt transaction that is valid after all only makes later ones of its sender invalid.
  if (!transaction.spoilt) bump(nonces, sender.address)
  return signTransaction(sender.key, transaction.transaction)
}

function withFees(
  expectation: Expectation,
  common: { nonce: number; to: Address | undefined; chainId: number },
  creates: boolean,
  sender: Actor,
): TransactionSerializable {
  const { random, baseFee, accounts } = expectation
  const gasPrice = baseFee + BigInt(random.below(1_000_000_000))
  const tip = BigInt(random.below(1_000_000_000))
  const fees = { maxPriorityFeePerGas: tip, maxFeePerGas: gasPrice + (random.oneIn(2) ? tip : 0n) }
  if (fees.maxFeePerGas < tip) fees.maxPriorityFeePerGas = fees.maxFeePerGas
  const accessList = Array.from({ length: random.below(3) }, () => ({
    address: (random.oneIn(2) && common.to) || random.pick(accounts.everyone),
    storageKeys: Array.from({ length: random.below(4) }, () => bytesToHex(number(random.below(6)))),
  }))
  switch (random.below(creates || expectation.isPlain ? 3 : 4)) {
    case 0:
      return {
        ...common,
        type: 'legacy',
        gasPrice,
        ...(random.oneIn(5) ? { chainId: undefined } : {}),
      }
    case 1:
      return { ...common, type: 'eip2930', gasPrice, accessList }
    case 2:
      return { ...common, type: 'eip1559', ...fees, accessList }
    default:
      return {
        ...common,
        type: 'eip7702',
        ...fees,
        accessList,
        authorizationList: authorizations(expectation, sender),
      }
  }
}

function authorizations({ random, accounts, nonces }: Expectation, sender: Actor) {
  return Array.from({ length: 1 + random.below(3) }, () => {
    const self = random.oneIn(4)
    const authority = self ? sender : random.pick(accounts.authorities)
    // The sender's own nonce has gone up by one when its authorization is looked at.
    const nonce = nonces.get(authority.address)! + (self ? 1n : 0n)
    const chainId = random.pick([0, CHAIN_ID, CHAIN_ID, CHAIN_ID, 1])
    const wrongNonce = random.oneIn(8)
    if (chainId !== 1 && !wrongNonce) bump(nonces, authority.address)
    const address = random.oneIn(5)
      ? (`0x${'00'.repeat(20)}` as const)
      : random.pick([...accounts.contracts, ...accounts.everyone])
    return signAuthorization(authority.key, {
      chainId,
      address,
      nonce: Number(nonce) + (wrongNonce ? 1 : 0),
    })
  })
}

/** Now and then breaks a rule, so that both engines must refuse. */
function spoil(
  random: RandomSource,
  transaction: TransactionSerializable,
): { transaction: TransactionSerializable; spoilt: boolean } {
  if (!random.oneIn(25)) return { transaction, spoilt: false }
  const broken = { ...transaction } as TransactionSerializable & Record<string, unknown>
  switch (random.below(4)) {
    case 0:
      Object.assign(broken, { nonce: transaction.nonce! + 1 })
      break
    case 1:
      Object.assign(broken, { gas: 20_000n })
      break
    case 2:
      Object.assign(broken, { value: 10n ** 26n })
      break
    default:
      if ('gasPrice' in broken && broken.gasPrice) Object.assign(broken, { gasPrice: 1n })
      else Object.assign(broken, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n })
  }
  return { transaction: broken, spoilt: true }
}

function initCode(
  random: RandomSource,
  accounts: RandomAccounts,
  isNeverEmpty = false,
): Uint8Array {
  if (random.oneIn(10)) return random.bytes((isNeverEmpty ? 1 : 0) + random.below(40))
  return deploying(random, accounts.everyone, randomProgram(random, accounts.everyone))
}

/** Calldata for the prober: above all accounts that may or may not be warm already. */
function probe(random: RandomSource, accounts: RandomAccounts): Uint8Array {
  const candidates = [COINBASE, ...accounts.senders, ...accounts.authorities].map((candidate) =>
    typeof candidate === 'string' ? candidate : candidate.address,
  )
  const words = Array.from({ length: 3 }, () => {
    const account = random.oneIn(4) ? random.pick(accounts.everyone) : random.pick(candidates)
    return concatBytes(new Uint8Array(12), hexToBytes(account))
  })
  return concatBytes(...words)
}

/** Compressible and incompressible data, for FastLZ. */
function callData(random: RandomSource): Uint8Array {
  if (random.oneIn(2)) return new Uint8Array(0)
  if (random.oneIn(2)) return random.bytes(random.below(600))
  const part = random.bytes(1 + random.below(20))
  return concatBytes(...Array.from({ length: random.below(60) }, () => part))
}

function bump(nonces: Map<Address, bigint>, address: Address): void {
  const nonce = nonces.get(address)
  if (nonce !== undefined) nonces.set(address, nonce + 1n)
}

function number(value: number): Uint8Array {
  const word = new Uint8Array(32)
  new DataView(word.buffer).setBigUint64(24, BigInt(value))
  return word
}

function u32(value: number): Uint8Array {
  const word = new Uint8Array(4)
  new DataView(word.buffer).setUint32(0, value)
  return word
}
