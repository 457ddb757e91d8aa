import {
  type Hash,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'

/** How far a transaction has come, and its block as soon as that is known. */
export interface Stage {
  name: 'waiting' | 'preconfirmed' | 'sealed' | 'gone'
  block?: bigint
}

/**
 * A receipt is there with the pre-confirmation, before its block is: the block is sealed once `latest`
 * has reached it.
 */
export async function stageOf(client: PublicClient, hash: Hash): Promise<Stage> {
  // The head first: a receipt read after it is of a block that it covers, or of a later one.
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const receipt = await unlessMissing(client.getTransactionReceipt({ hash }))
  if (receipt) {
    const { blockNumber: block } = receipt
    return { name: head >= block ? 'sealed' : 'preconfirmed', block }
  }
  return { name: (await unlessMissing(client.getTransaction({ hash }))) ? 'waiting' : 'gone' }
}

function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  })
}
