import { decodeStateDump } from '#devnet/l2/node/state/state-dump'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hash, Hex } from '#protocol/types/bytes'
import { type KilledDevnet, RECEIVER, registerCode, type Seen } from './killed-devnet.ts'

interface BlockJson {
  hash: Hash
  parentHash: Hash
  stateRoot: Hash
  transactions: { hash: Hash; to: Hex | null; value: Hex }[]
}

/**
 * What users saw before the kill and the devnet has not now, or has only half; empty: nothing is lost.
 * @param depth newest blocks to look at
 */
export async function findLosses(
  devnet: KilledDevnet,
  seen: Seen,
  depth = Infinity,
): Promise<string[]> {
  const { l1, l2, description } = devnet
  const losses: string[] = []
  const expect = (isTrue: boolean, loss: string) => isTrue || losses.push(loss)
  const blockAt = async (chain: typeof l1, number: number, whole: boolean) =>
    (await chain.request('eth_getBlockByNumber', [hex(number), whole])) as BlockJson | null

  const newest = Number(await l2.request('eth_blockNumber', []))
  const first = Math.max(0, newest - depth)
  const balanceAt = async (number: number) =>
    BigInt((await l2.request('eth_getBalance', [RECEIVER, hex(number)])) as Hex)
  const countAt = async (number: number) => {
    const writer = description.accounts[0]!.address
    return Number(await l2.request('eth_getTransactionCount', [writer, hex(number)]))
  }
  let parent = (await blockAt(l2, first, false))?.hash
  let received = await balanceAt(first)
  let writes = await countAt(first)
  for (let number = first + 1; number <= newest; number++) {
    const block = await blockAt(l2, number, true)
    if (!block) return [...losses, `L2 block ${number} of ${newest} is missing`]
    expect(block.parentHash === parent, `L2 block ${number} is not on its parent`)
    parent = block.hash
    for (const { hash, to, value } of block.transactions) {
      if (to === RECEIVER) received += BigInt(value)
      if (to === seen.writer) writes += 1
      const receipt = (await l2.request('eth_getTransactionReceipt', [hash])) as BlockJson | null
      expect(receipt !== null, `receipt of ${hash}`)
    }
    // Every older state can be read, and is what the transactions until then make.
    const balance = await balanceAt(number)
    expect(balance === received, `balance ${balance} at L2 block ${number}, not ${received}`)
  }
  for (const [number, hash] of seen.l2) {
    if (number < first) continue
    expect((await blockAt(l2, number, false))?.hash === hash, `L2 block ${number} ${hash}`)
  }
  for (const [number, hash] of [...seen.l1].slice(-depth)) {
    expect((await blockAt(l1, number, false))?.hash === hash, `L1 block ${number} ${hash}`)
  }
  const looked = new Set([...seen.l2].flatMap(([number, hash]) => (number < first ? [] : [hash])))
  for (const [hash, blockHash] of seen.transactions) {
    if (!looked.has(blockHash)) continue
    const receipt = (await l2.request('eth_getTransactionReceipt', [hash])) as Record<
      string,
      unknown
    >
    expect(receipt?.blockHash === blockHash, `transaction ${hash}`)
  }
  for (const [wallet, code] of seen.codes) {
    const { builderCode } = await registerCode(description.apiUrl, wallet)
    expect(builderCode === code, `builder code of ${wallet}`)
  }
  const count = await countAt(newest)
  expect(count === writes, `nonce ${count} after ${writes} transactions`)
  // Throws where a part of the newest state is missing.
  const dump = decodeStateDump(hexToBytes((await l2.request('anvil_dumpState', [])) as Hex))
  expect(bytesToHex(hexToBytes(dump.stateRoot)) === dump.stateRoot, 'the newest state')
  return losses
}

const hex = (number: number): Hex => `0x${number.toString(16)}`
