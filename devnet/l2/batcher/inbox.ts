import secp256k1 from 'secp256k1'
import { RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import type { Kzg } from '#devnet/l1/blobs/kzg'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { addressOf } from '#protocol/journal/signer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { blobCargo, type Cargo, signCargo } from './inbox-transactions.ts'
import { doubled, firstBid, type L1Fees, type L1Prices, nextBid } from './l1-fees.ts'

/** By which another's place is asked for, each twice the one before it. */
const MOST_BIDS = 8

export interface SignedTransaction {
  nonce: number
  cargo: Cargo
  bid: L1Fees
  hash: Hash
  /** The one that this outbids: either may land. */
  replaces?: SignedTransaction
}

/** Whether a transaction stands on L1: in which block, still to come, or never to come any more. */
export type Landing = { l1Block: Hash; l1Number: bigint } | 'pending' | 'lost'

/** The batch inbox on L1, as its one writer sees it. */
export interface Inbox {
  /** Signs what carries these pieces of data, in order: it goes nowhere yet. */
  sign(data: readonly Uint8Array[]): Promise<SignedTransaction[]>
  /** Nothing happens where L1 knows it, or has taken its place in a block. */
  offer(transaction: SignedTransaction): Promise<void>
  landing(transaction: SignedTransaction): Promise<Landing>
  /**
   * Offers it to L1 again: nothing happens where it is known. Where L1 asks for more than it pays,
   * one that does takes its place. One whose place a block took meanwhile comes back as it was: `landing`
   * tells what became of it.
   *
   * @param before how many of this writer's transactions that are still to come stand before it
   */
  sendAgain(transaction: SignedTransaction, before: number): Promise<SignedTransaction>
  /** The newest L1 block. */
  l1Head(): Promise<{ number: bigint; hash: Hash }>
}

export interface InboxParameters {
  l1RpcUrl: RpcEndpoint
  l1ChainId: number
  address: Address
  privateKey: Hex
  /** Data goes into blobs then; into call data without. */
  kzg?: Kzg | undefined
  signal: AbortSignal
}

/** @returns undefined where its place was taken by a block since it was looked for */
async function unlessMined<T>(offering: Promise<T>): Promise<T | undefined> {
  try {
    return await offering
  } catch (error) {
    if (error instanceof RpcRefused && /nonce too low/i.test(error.message)) return undefined
    throw error
  }
}

export function openInbox(parameters: InboxParameters): Inbox {
  const { l1RpcUrl, privateKey, kzg, signal } = parameters
  const rpc = rpcClientOf(l1RpcUrl)
  const call = (method: string, ...params: unknown[]) => rpc.request(method, params, signal)
  const sender = addressOf(secp256k1.publicKeyCreate(hexToBytes(privateKey), false))
  const account = { chainId: parameters.l1ChainId, to: parameters.address, privateKey }
  const nextNonce = async (tag: 'latest' | 'pending') =>
    Number(await call('eth_getTransactionCount', sender, tag))

  async function prices(): Promise<L1Prices> {
    const block = Object((await call('eth_getBlockByNumber', 'latest', false)) ?? {})
    return {
      baseFee: BigInt(String(block.baseFeePerGas ?? '0x0')),
      blobBaseFee: kzg ? BigInt(String(await call('eth_blobBaseFee'))) : 0n,
    }
  }

  /**
   * While it mines, anvil counts a transaction before it has its receipt; it stays in the pool until
   * then. What was replaced is in neither.
   */
  async function isKnown(transaction: SignedTransaction): Promise<boolean> {
    for (let sent: SignedTransaction | undefined = transaction; sent; sent = sent.replaces)
      if (await call('eth_getTransactionByHash', sent.hash)) return true
    return false
  }

  /** Where it is, or one that it outbids. */
  async function landed(transaction: SignedTransaction): Promise<Landing | undefined> {
    for (let sent: SignedTransaction | undefined = transaction; sent; sent = sent.replaces) {
      const receipt = await call('eth_getTransactionReceipt', sent.hash)
      if (!receipt) continue
      const { blockHash, blockNumber } = receipt as { blockHash: Hash; blockNumber: Hex }
      return { l1Block: blockHash, l1Number: BigInt(blockNumber) }
    }
    return undefined
  }

  const signed = (cargo: Cargo, nonce: number, bid: L1Fees): SignedTransaction => ({
    ...{ nonce, cargo, bid },
    hash: signCargo(cargo, account, { ...bid, nonce }).hash,
  })

  async function offer({ cargo, bid, nonce }: SignedTransaction): Promise<void> {
    // Signed twice rather than kept twice: blobs are long.
    const { raw } = signCargo(cargo, account, { ...bid, nonce })
    try {
      await call('eth_sendRawTransaction', raw)
    } catch (error) {
      if (!(error instanceof RpcRefused && /already (known|imported)/i.test(error.message))) {
        throw error
      }
    }
  }

  async function signAndOffer(
    cargo: Cargo,
    nonce: number,
    bid: L1Fees,
  ): Promise<SignedTransaction> {
    const transaction = signed(cargo, nonce, bid)
    await offer(transaction)
    return transaction
  }

  /** What the one in that place pays nobody knows any more; a node wants more than that in each member. */
  async function outbidOther(
    cargo: Cargo,
    nonce: number,
    least: L1Fees,
  ): Promise<SignedTransaction> {
    let bid = doubled(least)
    for (let tries = 1; ; tries++) {
      try {
        return await signAndOffer(cargo, nonce, bid)
      } catch (error) {
        const isTooLow = error instanceof RpcRefused && /underpriced/i.test(error.message)
        if (!isTooLow || tries === MOST_BIDS) throw error
        bid = doubled(bid)
      }
    }
  }

  return {
    async sign(data) {
      // Before the nonce is asked for: to commit to blobs takes a while.
      const cargos = kzg
        ? await blobCargo(data, kzg, signal)
        : data.map((bytes) => ({ data: bytes }))
      const first = await nextNonce('pending')
      const bid = firstBid(await prices())
      return cargos.map((cargo, i) => signed(cargo, first + i, bid))
    },
    offer: (transaction) => unlessMined(offer(transaction)),
    async landing(transaction) {
      const before = await landed(transaction)
      if (before) return before
      const next = await nextNonce('latest')
      if (next <= transaction.nonce) return 'pending'
      // A block between the two reads must not make a landed transaction look lost.
      const after = await landed(transaction)
      return after ?? ((await isKnown(transaction)) ? 'pending' : 'lost')
    },
    async sendAgain(transaction, before) {
      const { cargo } = transaction
      // What is not ours and stands before it, it would wait for, for ever: L1 has dropped that, or it is of
      // a batcher that died, and L1 has outgrown what that one paid. It takes that place.
      const nonce = Math.min(transaction.nonce, (await nextNonce('latest')) + before)
      const higher = nextBid(transaction.bid, await prices()) ?? transaction.bid
      const offering =
        nonce === transaction.nonce
          ? signAndOffer(cargo, nonce, higher)
          : outbidOther(cargo, nonce, higher)
      const offered = await unlessMined(offering)
      if (!offered || offered.hash === transaction.hash) return transaction
      return { ...offered, replaces: transaction }
    },
    async l1Head() {
      const block = await call('eth_getBlockByNumber', 'latest', false)
      const { number, hash } = block as { number: Hex; hash: Hash }
      return { number: BigInt(number), hash }
    },
  }
}
