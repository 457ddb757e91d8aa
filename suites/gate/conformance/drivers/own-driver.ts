import { createPublicClient, http, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../wire/hex.ts'
import type { Driver, DriverOptions } from './driver.ts' // in a project of yours: 'rollbed/conform'

/**
 * A driver to start from: for a chain without cheats, with keys that it is given. It only sends and
 * waits; what it leaves out (reorg, provableRange) makes the cases that need it not applicable.
 *
 * DRIVER_KEYS=0x…,0x… rollbed conform --rpc URL --driver own-driver.ts
 */
export default async function ownDriver({ targets, file, signal }: DriverOptions): Promise<Driver> {
  const keys = (process.env.DRIVER_KEYS ?? '').split(',').filter(Boolean) as Hex[]
  if (keys.length < 4) throw new Error('DRIVER_KEYS must hold at least four private keys.')
  const client = createPublicClient({ transport: http(targets.rpc), pollingInterval: 50 })
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const senders = await Promise.all(accounts.map((account) => createSender(client, account)))
  return {
    name: file ?? 'own-driver.ts',
    // Cases ask for up to ten: the same one may stand in for several.
    accounts: Array.from({ length: 10 }, (_, index) => addressOf(accounts, index)),
    send: (transaction) => senders[transaction.account % senders.length]!(transaction),
    async sealed(hash) {
      await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
      // A node with pre-confirmations has a receipt before the block is sealed.
      let receipt = await client.getTransactionReceipt({ hash })
      while ((await client.getBlockNumber({ cacheTime: 0 })) < receipt.blockNumber) {
        await nextBlock(client, signal)
        receipt = await client.getTransactionReceipt({ hash })
      }
      return {
        hash,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        index: receipt.transactionIndex,
        gasUsed: receipt.gasUsed,
        succeeded: receipt.status === 'success',
        contract: (receipt.contractAddress?.toLowerCase() as Hex | undefined) ?? null,
      }
    },
    blockStart: () => nextBlock(client, signal),
  }
}

function nextBlock(client: PublicClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = client.watchBlockNumber({
      onBlockNumber: (_, before) => {
        if (before === undefined) return
        stop()
        resolve()
      },
      onError: reject,
      emitOnBegin: true,
    })
    signal.addEventListener('abort', () => stop(), { once: true })
  })
}

function addressOf(accounts: readonly PrivateKeyAccount[], index: number): Hex {
  return accounts[index % accounts.length]!.address.toLowerCase() as Hex
}

/** Sends one after the other, with nonces of its own: a node may be slow to tell the next one. */
async function createSender(client: PublicClient, account: PrivateKeyAccount) {
  const chainId = await client.getChainId()
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  let last: Promise<unknown> = Promise.resolve()
  return ({ to, data, value = 0n, gas = 500_000n, nonceGap = 0 }: SendArguments): Promise<Hex> => {
    const sent = last.then(async () => {
      const serializedTransaction = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: nonce + nonceGap,
        to: to ?? null,
        value,
        gas,
        ...(data && { data }),
        ...(await client.estimateFeesPerGas()),
      })
      const hash = await client.sendRawTransaction({ serializedTransaction })
      if (nonceGap === 0) nonce += 1
      return hash
    })
    last = sent.catch(() => undefined)
    return sent
  }
}

type SendArguments = Parameters<Driver['send']>[0]
