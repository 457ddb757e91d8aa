import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { Turns } from '#devnet/base/process/turns'
import type { L1Archive } from './l1-archive.ts'
import type { L1BlockJson, L1ReceiptJson, WholeL1BlockJson } from './l1-json.ts'
import type { L1Record } from './l1-record.ts'

interface ArchiveBlocksOptions {
  /** Follows, where L1 is to outlive anvil. */
  record?: L1Record | undefined
  /** Called when another block is the newest. */
  onBlock?(): void
}

/**
 * Brings the archive to L1's head, also where L1 was reorganised. Must be called before anvil forgets:
 * see BLOCKS_REMEMBERED. Calls queue up.
 */
export function archiveBlocks(
  anvil: RpcClient,
  archive: L1Archive,
  { record, onBlock }: ArchiveBlocksOptions = {},
): () => Promise<void> {
  const turns = new Turns()

  const head = () => (archive.newest === undefined ? undefined : archive.hashAt(archive.newest))

  async function blockAt(number: number, whole: boolean): Promise<L1BlockJson | null> {
    const tag = `0x${number.toString(16)}`
    return (await anvil.request('eth_getBlockByNumber', [tag, whole])) as L1BlockJson | null
  }

  /** Takes out what L1 dropped. */
  async function goBack(): Promise<void> {
    for (let { newest } = archive; newest !== undefined; newest = archive.newest) {
      const block = await blockAt(newest, false)
      if (block?.hash === archive.hashAt(newest)) return
      archive.removeNewest()
    }
  }

  async function catchUp(): Promise<void> {
    await goBack()
    for (;;) {
      const next = (archive.newest ?? -1) + 1
      const block = await blockAt(next, true)
      if (!block) return
      // Reorganised between two reads: the next call finds out.
      if (next > 0 && block.parentHash !== archive.hashAt(next - 1)) return
      const isEmpty = block.transactions.length === 0
      const receipts = isEmpty ? [] : await anvil.request('eth_getBlockReceipts', [block.hash])
      if (!receipts) return
      await archive.append({
        block: block as WholeL1BlockJson,
        receipts: receipts as L1ReceiptJson[],
      })
    }
  }

  return () =>
    turns.take(async () => {
      const before = head()
      await catchUp()
      if (record && archive.newest !== undefined) await record.settle(anvil, archive.newest)
      if (head() !== before) onBlock?.()
    })
}
